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

    /// What is known of a field because of its type.
    enum Origin: Sendable {
        /// The name is a constant, so it is a token. The value is a ``HeaderValue``, which has no control characters.
        case constantNameAndPlainValue
        case constantName
        case unknown
    }

    /// A field as it is in the buffer: its name and its value each have a NUL after them. It is valid within a call.
    struct RawField {
        let name: UnsafeBufferPointer<UInt8>
        let digest: HeaderName.Digest
        let origin: Origin
        let value: UnsafeBufferPointer<UInt8>
    }

    /// Where a field is in the buffer.
    private struct Place: Sendable {
        var digest: HeaderName.Digest
        var origin: Origin
        var name: Range<Int32>
        var value: Range<Int32>
    }

    /// The names and values, each with a NUL after it.
    private var bytes: [UInt8] = []
    private var places: [Place] = []

    /// No fields.
    public init() {}

    /// The given pairs in the given order; a name may occur more than once.
    public init(dictionaryLiteral elements: (HeaderName, String)...) {
        if !elements.isEmpty { reserve(fieldCount: elements.count, byteCount: 64 * elements.count) }
        for (name, value) in elements { add(name, value) }
    }

    /// The given pairs in the given order; a name may occur more than once.
    public init(_ pairs: [(String, String)]) {
        for (name, value) in pairs { add(Field(name: name, value: value)) }
    }

    /// All fields, in order; a name may occur more than once.
    public var fields: [Field] {
        places.map { Field(name: text(of: $0.name), value: text(of: $0.value)) }
    }

    /// The value of the first field of that name, or nil when there is none.
    public subscript(_ name: HeaderName) -> String? {
        firstPlace(of: name, from: 0).map { text(of: places[$0].value) }
    }

    /// The values of all fields of that name, in order; empty when there is none.
    public func values(_ name: HeaderName) -> [String] {
        var values: [String] = []
        forEach(name) { values.append(text(of: $0.value)) }
        return values
    }

    /// Whether there is a field of that name.
    public func contains(_ name: HeaderName) -> Bool {
        firstPlace(of: name, from: 0) != nil
    }

    /// How many fields of that name there are.
    public func count(of name: HeaderName) -> Int {
        var count = 0
        forEach(name) { _ in count += 1 }
        return count
    }

    /// Calls the body with each field, in order, until it returns false. Returns whether it never did.
    @inline(__always)
    func allSatisfy(_ body: (RawField) -> Bool) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            places.allSatisfy { place in
                body(
                    RawField(
                        name: bytes.slice(place.name),
                        digest: place.digest,
                        origin: place.origin,
                        value: bytes.slice(place.value)
                    )
                )
            }
        }
    }

    /// Calls the body with each field of that name, in order.
    private func forEach(_ name: HeaderName, _ body: (Place) -> Void) {
        var next = 0
        while let place = firstPlace(of: name, from: next) {
            body(places[place])
            next = place + 1
        }
    }

    /// Calls the body with the bytes of the first field of that name; nil if there is none.
    public func withValue<Result>(of name: HeaderName, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result? {
        guard let place = firstPlace(of: name, from: 0) else { return nil }
        let range = places[place].value
        return bytes.withUnsafeBufferPointer { body($0.slice(range)) }
    }

    /// Adds a field after the others, beside any of the same name.
    public mutating func add(_ name: HeaderName, _ value: String) {
        var value = value
        value.withUTF8 { add(name.utf8, name.digest, .constantName, $0) }
    }

    /// Adds a field after the others, beside any of the same name.
    public mutating func add(_ name: HeaderName, _ value: HeaderValue) {
        value.withBytes { add(name.utf8, name.digest, .constantNameAndPlainValue, $0) }
    }

    /// Adds a field whose name is not a constant.
    public mutating func add(_ field: Field) {
        var (name, value) = (field.name, field.value)
        name.withUTF8 { name in value.withUTF8 { value in add(name, value) } }
    }

    /// Adds a field after the others. The bytes are copied.
    mutating func add(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        add(name, HeaderName.Digest(name), .unknown, value)
    }

    private mutating func add(
        _ name: UnsafeBufferPointer<UInt8>,
        _ digest: HeaderName.Digest,
        _ origin: Origin,
        _ value: UnsafeBufferPointer<UInt8>
    ) {
        let start = Int32(clamping: bytes.count)
        let nameEnd = start + Int32(clamping: name.count)
        let valueEnd = nameEnd + 1 + Int32(clamping: value.count)
        bytes.append(addingCapacity: name.count + value.count + 2) { room in
            room.withUnsafeMutableBufferPointer { room, count in
                guard let start = room.baseAddress else { return }
                let end = Self.write(value, at: Self.write(name, at: start + count))
                count = end - start
            }
        }
        places.append(
            Place(digest: digest, origin: origin, name: start..<nameEnd, value: nameEnd + 1..<valueEnd)
        )
    }

    /// Writes bytes and a NUL, and returns the place after it.
    @inline(__always)
    private static func write(
        _ text: UnsafeBufferPointer<UInt8>,
        at place: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        if let first = text.baseAddress { place.update(from: first, count: text.count) }
        let end = place + text.count
        end.pointee = 0
        return end + 1
    }

    /// A copy that has room for the fields that most answers get besides.
    public func withRoom() -> HeaderFields {
        var copy = HeaderFields()
        copy.reserve(fieldCount: places.count + 6, byteCount: bytes.count + 320)
        copy.bytes += bytes
        copy.places += places
        return copy
    }

    /// Makes room for fields.
    mutating func reserve(fieldCount: Int, byteCount: Int) {
        bytes.reserveCapacity(byteCount)
        places.reserveCapacity(fieldCount)
    }

    /// Removes all fields of that name and adds this one after the others.
    public mutating func set(_ name: HeaderName, _ value: String) {
        remove(name)
        add(name, value)
    }

    /// Removes all fields of the same name and adds this one after the others.
    public mutating func set(_ field: Field) {
        let name = field.name.lowercased()
        places = places.filter { text(of: $0.name).lowercased() != name }
        add(field)
    }

    /// Removes all fields of that name, if there are any.
    public mutating func remove(_ name: HeaderName) {
        // The bytes stay where they are, because they are dropped with the others soon.
        while let place = firstPlace(of: name, from: 0) { places.remove(at: place) }
    }

    private func firstPlace(of name: HeaderName, from start: Int) -> Int? {
        var place = start
        while place < places.count {
            if places[place].digest == name.digest, has(name, at: places[place].name) { return place }
            place += 1
        }
        return nil
    }

    private func has(_ name: HeaderName, at range: Range<Int32>) -> Bool {
        bytes.withUnsafeBufferPointer { $0.slice(range).equalsIgnoringASCIICase(name.utf8) }
    }

    private func text(of range: Range<Int32>) -> String {
        bytes.withUnsafeBufferPointer { String(decoding: $0.slice(range), as: UTF8.self) }
    }

    /// Whether both have the same fields in the same order.
    public static func == (one: HeaderFields, other: HeaderFields) -> Bool {
        one.fields == other.fields
    }
}

extension UnsafeBufferPointer<UInt8> {
    @inline(__always)
    fileprivate func slice(_ range: Range<Int32>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: self[Int(range.lowerBound)..<Int(range.upperBound)])
    }
}
