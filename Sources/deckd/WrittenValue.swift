import Yams

/// A value of a setting as it is written in the configuration file, in the environment or on the command line.
///
/// Numbers and truth values are written in the same way in all of them. Those of YAML 1.1 have more forms: `010` is eight there, and
/// `1:30` is ninety.
struct WrittenValue: Sendable {
    /// The value as a string; nil if it is null.
    let string: String?
    /// Where it is written, for messages.
    let place: String
    /// The value for messages, in quotes unless the file has it without.
    let quotation: String
    /// The value if it is written without quotes, so that it can be a number or a truth value; nil: it is in quotes.
    private let unquoted: String?

    /// A value of the configuration file. One in quotes is a string.
    init(_ scalar: Node.Scalar, at place: String) {
        let isPlain = scalar.style == .plain
        unquoted = isPlain ? scalar.string : nil
        string = isPlain && ["null", "Null", "NULL", "~"].contains(scalar.string) ? nil : scalar.string
        self.place = place
        quotation = isPlain && !scalar.string.isEmpty ? scalar.string : String(reflecting: scalar.string)
    }

    /// A variable of the environment, or a flag.
    init(_ text: String, at place: String) {
        unquoted = text
        string = text
        self.place = place
        quotation = String(reflecting: text)
    }

    /// The value as a whole number in decimal digits; nil if it is none.
    var integer: Int? { unquoted.flatMap { Int($0) } }

    /// The value as a truth value; nil if it is none.
    var boolean: Bool? {
        switch unquoted?.lowercased() {
        case "true", "yes", "on", "1": true
        case "false", "no", "off", "0": false
        default: nil
        }
    }
}
