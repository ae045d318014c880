/// Headers in the order in which they were received or will be sent; names are compared without regard to case (RFC 9110, 5.1).
///
/// The names and values are in one buffer, so that most heads cost two allocations. A string is made only of a field that
/// is asked for.
///
/// Nothing is checked here. What cannot be sent (a name that is no token, a value with CR, LF or NUL) is found when
/// the response is queued, and the request is then answered with ``Refusal/failed``.
public struct HeaderFields: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// One name and its value.
    public struct Field: Sendable, Equatable {
        /// The name as written, for instance `Content-Type`.
        public let name: String
        /// The value without the white space around it. Bytes that are not UTF-8 are replaced by U+FFFD.
        public let value: String

        /// Creates a field from two texts, which are not checked.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Where a field is in the buffer.
    struct Place: Sendable, Equatable {
        var name: Range<Int32>
        var value: Range<Int32>
    }

    /// The names and values, each with a NUL after it.
    private(set) var bytes: [UInt8] = []
    private(set) var places: [Place] = []

    /// No fields.
    public init() {}

    /// The given pairs in the given order; a name may occur more than once.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements)
    }

    /// The given pairs in the given order; a name may occur more than once.
    public init(_ pairs: [(String, String)]) {
        for (name, value) in pairs { add(name, value) }
    }

    /// All fields, in order; a name may occur more than once.
    public var fields: [Field] {
        places.map { Field(name: text(of: $0.name), value: text(of: $0.value)) }
    }

    /// The value of the first field of that name, or nil when there is none.
    public subscript(_ name: String) -> String? {
        firstPlace(of: name, from: 0).map { text(of: places[$0].value) }
    }

    /// The values of all fields of that name, in order; empty when there is none.
    public func values(_ name: String) -> [String] {
        var values: [String] = []
        forEach(name) { values.append(text(of: $0.value)) }
        return values
    }

    /// Whether there is a field of that name.
    public func contains(_ name: String) -> Bool {
        firstPlace(of: name, from: 0) != nil
    }

    /// How many fields of that name there are.
    func count(of name: String) -> Int {
        var count = 0
        forEach(name) { _ in count += 1 }
        return count
    }

    /// Calls the body with each field of that name, in order.
    private func forEach(_ name: String, _ body: (Place) -> Void) {
        var next = 0
        while let place = firstPlace(of: name, from: next) {
            body(places[place])
            next = place + 1
        }
    }

    /// Calls the body with the bytes of the first field of that name; nil if there is none.
    public func withValue<Result>(of name: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result? {
        guard let place = firstPlace(of: name, from: 0) else { return nil }
        let range = places[place].value
        return bytes.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[Int(range.lowerBound)..<Int(range.upperBound)]))
        }
    }

    /// Adds a field after the others, beside any of the same name.
    public mutating func add(_ name: String, _ value: String) {
        var (name, value) = (name, value)
        name.withUTF8 { name in value.withUTF8 { value in add(name, value) } }
    }

    /// Adds a field after the others. The bytes are copied.
    mutating func add(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        let start = Int32(clamping: bytes.count)
        let nameEnd = start + Int32(clamping: name.count)
        let valueEnd = nameEnd + 1 + Int32(clamping: value.count)
        bytes.append(addingCapacity: name.count + value.count + 2) { room in
            room.append(name)
            room.append(0)
            room.append(value)
            room.append(0)
        }
        places.append(Place(name: start..<nameEnd, value: nameEnd + 1..<valueEnd))
    }

    /// Makes room for fields.
    mutating func reserve(fieldCount: Int, byteCount: Int) {
        bytes.reserveCapacity(byteCount)
        places.reserveCapacity(fieldCount)
    }

    /// Removes all fields of that name and adds this one after the others.
    public mutating func set(_ name: String, _ value: String) {
        remove(name)
        add(name, value)
    }

    /// Removes all fields of that name, if there are any.
    public mutating func remove(_ name: String) {
        // The bytes stay where they are, because they are dropped with the others soon.
        while let place = firstPlace(of: name, from: 0) { places.remove(at: place) }
    }

    private func firstPlace(of name: String, from start: Int) -> Int? {
        guard start < places.count else { return nil }
        let length = name.utf8.count
        return places.indices.dropFirst(start).first { place in
            let range = places[place].name
            return range.count == length && has(name, at: range)
        }
    }

    private func has(_ name: String, at range: Range<Int32>) -> Bool {
        var name = name
        return name.withUTF8 { name in
            bytes.withUnsafeBufferPointer { bytes in
                let text = bytes[Int(range.lowerBound)..<Int(range.upperBound)]
                return UnsafeBufferPointer(rebasing: text).equalsIgnoringASCIICase(name)
            }
        }
    }

    private func text(of range: Range<Int32>) -> String {
        bytes.withUnsafeBufferPointer { bytes in
            let text = bytes[Int(range.lowerBound)..<Int(range.upperBound)]
            return String(decoding: UnsafeBufferPointer(rebasing: text), as: UTF8.self)
        }
    }

    /// Whether both have the same fields in the same order.
    public static func == (one: HeaderFields, other: HeaderFields) -> Bool {
        one.fields == other.fields
    }
}

extension OutputSpan<UInt8> {
    /// Appends bytes, for which there must be room.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        withUnsafeMutableBufferPointer { room, count in
            _ = UnsafeMutableBufferPointer(rebasing: room[count...]).update(fromContentsOf: bytes)
            count += bytes.count
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether both texts are the same when `A` to `Z` count as `a` to `z` and every other byte as itself.
    func equalsIgnoringASCIICase(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for place in indices {
            let difference = self[place] ^ other[place]
            guard difference != 0 else { continue }
            let letter = self[place] | 0x20
            guard difference == 0x20, letter >= UInt8(ascii: "a"), letter <= UInt8(ascii: "z") else { return false }
        }
        return true
    }

    /// Whether the text is this one when `A` to `Z` count as `a` to `z`.
    func equalsIgnoringASCIICase(_ other: StaticString) -> Bool {
        equalsIgnoringASCIICase(UnsafeBufferPointer(start: other.utf8Start, count: other.utf8CodeUnitCount))
    }
}

extension String {
    /// Whether both texts are the same when `A` to `Z` count as `a` to `z` and every other byte as itself.
    func equalsIgnoringASCIICase(_ other: StaticString) -> Bool {
        var text = self
        return text.withUTF8 { $0.equalsIgnoringASCIICase(other) }
    }
}
