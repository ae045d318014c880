/// A difference between the engine and the model.
struct ModelFault: Equatable {
    /// Identifies the fault regardless of the numbers in it. A shortened list of steps must show the same fault.
    var kind: String
    /// The expected and the actual values.
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
