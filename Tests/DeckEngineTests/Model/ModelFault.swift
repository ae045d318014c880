/// What the engine and the model do not agree on.
struct ModelFault: Equatable {
    /// The same for the same fault, whatever the numbers in it are: a shorter list of steps has to fail with it, too.
    var kind: String
    /// What exactly was expected and found.
    var detail: String

    init(_ kind: String, _ detail: String = "") {
        self.kind = kind
        self.detail = detail
    }

    /// Two values that differ.
    init<Value>(_ kind: String, _ found: Value, not expected: Value) {
        self.init(kind, "\(found), not \(expected)")
    }
}
