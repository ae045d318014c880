/// The six types of JSON.
public enum JSONKind: Equatable, Sendable {
    /// An object.
    case object
    /// An array.
    case array
    /// A string.
    case string
    /// A number.
    case number
    /// True or false.
    case bool
    /// Null.
    case null

    /// The type with its article, for messages: "a string".
    var phrase: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .bool: "true or false"
        case .null: "null"
        }
    }
}
