extension JSONWriter {
    /// Writes a member that is a number; see `number`.
    @inline(__always)
    public mutating func member(_ name: StaticString, _ value: Double) {
        member(name, valueBytes: TextBuffer.numberRoom) { $0.append(value) }
    }

    /// Writes a member that is a number; see `exactNumber`.
    public mutating func member(_ name: StaticString, exactly value: Double) {
        key(name)
        exactNumber(value)
    }

    /// Writes a member that is a whole number.
    @inline(__always)
    public mutating func member(_ name: StaticString, _ value: Int) {
        member(name, valueBytes: TextBuffer.numberRoom) { $0.append(value) }
    }

    /// Writes a member that is true or false.
    @inline(__always)
    public mutating func member(_ name: StaticString, _ value: Bool) {
        member(name, valueBytes: 5) { $0.append(value) }
    }

    /// Writes a member that is a string.
    @inline(__always)
    public mutating func member(_ name: StaticString, _ value: String) {
        key(name)
        string(value)
    }

    /// Writes a member whose value is JSON, which is neither changed nor checked.
    public mutating func member(_ name: StaticString, raw json: String) {
        key(name)
        raw(json)
    }

    /// Writes a member that is an object, whose members the closure writes.
    @inlinable
    public mutating func object<Failure: Error>(
        _ name: StaticString,
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        key(name)
        try object(body)
    }

    /// Writes a member that is an array, whose elements the closure writes.
    @inlinable
    public mutating func array<Failure: Error>(
        _ name: StaticString,
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        key(name)
        try array(body)
    }

    /// A number as JSON, for messages: `5000` and not `5000.0`.
    public static func text(of number: Double) -> String {
        var writer = JSONWriter()
        writer.number(number)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
