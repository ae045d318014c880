import Yams

/// A value of a setting as it is written in the configuration file, in the environment or on the command line.
struct WrittenValue: Sendable {
    /// The value as a string.
    let string: String
    /// The value as a whole number; nil if it is none.
    let integer: Int?
    /// The value as a truth value; nil if it is none.
    let boolean: Bool?
    /// Where it is written, for messages.
    let place: String
    /// The value for messages, in quotes unless the file has it without.
    let quotation: String

    /// A value of the configuration file, by the rules of YAML.
    init(_ scalar: Node.Scalar, at place: String) {
        string = scalar.string
        integer = Int.construct(from: scalar)
        boolean = Bool.construct(from: scalar)
        self.place = place
        quotation = scalar.style == .plain && !string.isEmpty ? string : String(reflecting: string)
    }

    /// A variable of the environment, or a flag.
    init(_ text: String, at place: String) {
        string = text
        integer = Int(text)
        boolean =
            switch text.lowercased() {
            case "true", "yes", "1": true
            case "false", "no", "0": false
            default: nil
            }
        self.place = place
        quotation = String(reflecting: text)
    }
}
