/// Header fields in the order they came or will be sent; names are compared without regard to case (RFC 9110, 5.1).
///
/// Nothing is checked here. What cannot be sent (a name that is no token, a value with CR, LF or NUL) is found when
/// the response is queued, and the request is then answered with ``Refusal/failed``.
public struct HeaderFields: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// One name and its value.
    public struct Field: Sendable, Equatable {
        /// The name as written, for instance `Content-Type`.
        public let name: String
        /// The value without the white space around it. Bytes that are no UTF-8 have become U+FFFD.
        public let value: String

        /// Keeps both texts as they are.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All fields, in order; a name may occur more than once.
    public private(set) var fields: [Field]

    /// No fields.
    public init() {
        fields = []
    }

    /// The given pairs in the given order; a name may occur more than once.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The given pairs in the given order; a name may occur more than once.
    public init(_ pairs: [(String, String)]) {
        fields = pairs.map { Field(name: $0.0, value: $0.1) }
    }

    /// The value of the first field of that name, or nil when there is none.
    public subscript(_ name: String) -> String? {
        fields.first { $0.name.equalsIgnoringASCIICase(name) }?.value
    }

    /// The values of all fields of that name, in order; empty when there is none.
    public func values(_ name: String) -> [String] {
        fields.lazy.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
    }

    /// Adds a field after the others, beside any of the same name.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Removes all fields of that name and adds this one after the others.
    public mutating func set(_ name: String, _ value: String) {
        remove(name)
        add(name, value)
    }

    /// Removes all fields of that name; none is fine.
    public mutating func remove(_ name: String) {
        fields.removeAll { $0.name.equalsIgnoringASCIICase(name) }
    }
}

extension String {
    /// Whether both texts are the same when `A` to `Z` count as `a` to `z` and every other byte as itself.
    func equalsIgnoringASCIICase(_ other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { $0 == $1 || $0.asciiLowercased == $1.asciiLowercased }
    }
}

extension UInt8 {
    fileprivate var asciiLowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
