/// Writes JSON into a buffer that is reused from one document to the next.
///
/// It writes the commas, and closes objects and arrays when their closures end. Debug builds trap on a value without a key in
/// an object, a key elsewhere, a second value in a document, or a key that needs escaping. Release builds do not check this.
///
///     writer.object {
///         $0.member("index", 4)
///         $0.array("matrix") { for number in matrix { $0.number(number) } }
///     }
///
/// If a closure throws, the document stays incomplete. Call `removeAll()` before the next one.
public struct JSONWriter: ~Copyable {
    private var text: TextBuffer
    private var needsComma = false
    private var nesting = JSONNesting()

    /// Creates a writer with room for this many bytes. The buffer grows as needed.
    public init(capacity: Int = 64) {
        text = TextBuffer(capacity: capacity)
    }

    /// A copy of the document so far, UTF-8.
    public var bytes: [UInt8] { text.bytes }

    /// Calls the body with the document so far.
    public func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result { text.withBytes(body) }

    /// Ends the document, and passes its bytes on without a copy.
    public consuming func finish() -> WrittenBytes { text.finish() }

    /// The number of bytes so far.
    public var byteCount: Int { text.count }

    /// Empties the buffer. Its memory is reused.
    public mutating func removeAll() {
        text.removeAll()
        needsComma = false
        nesting = JSONNesting()
    }

    /// Writes text between documents, such as the newline of JSON lines or a field of an event stream. The next value starts a
    /// new document.
    public mutating func separator(_ separator: StaticString) {
        assert(nesting.separate(), "A separator stands between documents.")
        needsComma = false
        append(separator)
    }

    /// Writes an object, whose members the closure writes.
    @inlinable
    public mutating func object<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        open(.object)
        try body(&self)
        close(.object)
    }

    /// Writes an array, whose elements the closure writes.
    @inlinable
    public mutating func array<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        open(.array)
        try body(&self)
        close(.array)
    }

    /// Begins an object, whose members the next calls write.
    public mutating func beginObject() { open(.object) }

    /// Ends the object that was started last.
    public mutating func endObject() { close(.object) }

    @usableFromInline
    mutating func open(_ container: JSONContainer) {
        beginValue(room: 1)
        assert(nesting.open(container), "JSON is nested too deep.")
        text.append(container == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
        needsComma = false
    }

    @usableFromInline
    mutating func close(_ container: JSONContainer) {
        assert(nesting.close(container), "The last key has no value.")
        text.reserve(1)
        text.append(container == .object ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        needsComma = true
    }

    /// Writes the name of a member; its value comes next. The name must not need escaping.
    @inline(__always)
    public mutating func key(_ name: StaticString) {
        noteKey(name)
        let isFirst = !needsComma
        text.reserve(name.utf8CodeUnitCount + 4)
        text.append(key: name, isFirst: isFirst)
        needsComma = false
    }

    /// Writes several members in one step, for which room is made once. They come after another member of their object.
    ///
    /// - Parameters:
    ///   - count: the most bytes that they may have, with their names.
    ///   - body: appends them, each with a comma before it.
    @inline(__always)
    mutating func moreMembers(bytes count: Int, _ body: (inout TextBuffer) -> Void) {
        assert(nesting.expectsKey && needsComma, "More members come after a member of an object.")
        text.reserve(count)
        body(&text)
    }

    /// Writes a member in one step, for which room is made once.
    ///
    /// - Parameters:
    ///   - valueBytes: the most bytes that the value may have.
    ///   - value: appends the value, which must be JSON.
    @inline(__always)
    mutating func member(_ name: StaticString, valueBytes: Int, _ value: (inout TextBuffer) -> Void) {
        noteKey(name)
        noteValue()
        let isFirst = !needsComma
        text.reserve(name.utf8CodeUnitCount + 4 + valueBytes)
        text.append(key: name, isFirst: isFirst)
        value(&text)
        needsComma = true
    }

    /// Writes the name of a member, escaped; its value comes next.
    public mutating func key(escaping name: String) {
        assert(nesting.key(), "A key stands in an object, and not after another key.")
        text.reserve(1)
        if needsComma { text.append(UInt8(ascii: ",")) }
        needsComma = false
        text.append(quoted: name)
        text.reserve(1)
        text.append(UInt8(ascii: ":"))
    }

    /// Writes a number with at most six decimals, rounded to the nearest (a tie to the even one), without trailing
    /// zeros, without an exponent and without a sign if it is zero. NaN and infinity, which JSON lacks, become null.
    public mutating func number(_ value: Double) {
        beginValue(room: TextBuffer.numberRoom)
        text.append(value)
    }

    /// Writes a number with as many decimals as it takes to read the same number again. NaN and infinity, which JSON lacks,
    /// become null.
    public mutating func exactNumber(_ value: Double) {
        let rounded = Self.text(of: value)
        raw(!value.isFinite || Double(rounded) == value ? rounded : value.description)
    }

    /// Writes a string, escaped.
    public mutating func string(_ value: String) {
        beginValue(room: 0)
        text.append(quoted: value)
    }

    /// Writes a value that is JSON, which is neither changed nor checked.
    public mutating func raw(_ json: String) {
        var json = json
        json.withUTF8 { raw($0) }
    }

    /// Writes a value that is JSON, which is neither changed nor checked.
    public mutating func raw(_ json: UnsafeBufferPointer<UInt8>) {
        beginValue(room: json.count)
        text.append(json)
    }

    /// Writes a value that is JSON, which is neither changed nor checked.
    public mutating func raw(_ json: [UInt8]) {
        json.withUnsafeBufferPointer { raw($0) }
    }

    /// Writes the comma before a value, and makes room for the value.
    @inline(__always)
    private mutating func beginValue(room: Int) {
        noteValue()
        text.reserve(room + 1)
        if needsComma { text.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func append(_ constant: StaticString) {
        text.reserve(constant.utf8CodeUnitCount)
        text.append(constant)
    }

    /// Checks in debug builds that a key may come now.
    @inline(__always)
    private mutating func noteKey(_ name: StaticString) {
        assert(nesting.key(), "A key stands in an object, and not after another key.")
        assert(JSONNesting.isPlain(name), "A key must not need escaping.")
    }

    /// Checks in debug builds that a value may come now.
    @inline(__always)
    private mutating func noteValue() {
        assert(nesting.value(), "A member needs a key, and a document has one value.")
    }
}
