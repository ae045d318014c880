internal import Glibc

/// A request's method, as text: methods are case-sensitive and the set is open (RFC 9110, section 9.1).
///
/// A method without a constant here has the text that the client sent.
public struct HTTPMethod: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The method as it stands in the request line.
    public let rawValue: String

    /// Creates a method from any text, which is not checked.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a method from a request line. The most frequent ones need no new string.
    init(_ text: UnsafePointer<CChar>) {
        if strcmp(text, "GET") == 0 {
            self = .get
        } else if strcmp(text, "POST") == 0 {
            self = .post
        } else {
            self.init(rawValue: String(cString: text))
        }
    }

    /// The method as it stands in the request line.
    public var description: String { rawValue }

    /// Whether a request with this method changes nothing (RFC 9110, section 9.2.1).
    public var isSafe: Bool { self == .get || self == .head || self == .options }

    /// Asks for a representation.
    public static let get = HTTPMethod(rawValue: "GET")
    /// Asks for the headers of a GET; the transport drops the body of the response.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Asks to process the enclosed body.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Asks to replace the target with the enclosed body.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Asks to change the target in part.
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Asks to remove the target.
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// Asks what may be done with the target.
    public static let options = HTTPMethod(rawValue: "OPTIONS")
}
