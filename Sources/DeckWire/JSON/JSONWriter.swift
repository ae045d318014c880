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
public struct JSONWriter {
    /// The document so far, UTF-8.
    public private(set) var bytes: [UInt8] = []

    private var needsComma = false
    private var nesting = JSONNesting()

    /// Creates a writer with room for this many bytes. The buffer grows as needed.
    public init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Empties the buffer. Its memory is reused unless there is a copy of `bytes`.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
        nesting = JSONNesting()
    }

    /// Writes text between documents, such as the newline of JSON lines or a field of an event stream. The next value starts a
    /// new document.
    public mutating func separator(_ text: StaticString) {
        assert(nesting.separate(), "A separator stands between documents.")
        needsComma = false
        append(text)
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

    @usableFromInline
    mutating func open(_ container: JSONContainer) {
        beginValue()
        assert(nesting.open(container), "JSON is nested too deep.")
        bytes.append(container == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
        needsComma = false
    }

    @usableFromInline
    mutating func close(_ container: JSONContainer) {
        assert(nesting.close(container), "The last key has no value.")
        bytes.append(container == .object ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        needsComma = true
    }

    /// Writes the name of a member; its value comes next. The name must not need escaping.
    public mutating func key(_ name: StaticString) {
        noteKey(name)
        let isFirst = !needsComma
        bytes.append(addingCapacity: name.utf8CodeUnitCount + 4) { $0.append(key: name, isFirst: isFirst) }
        needsComma = false
    }

    /// Writes several members in one step, for which room is made once. They come after another member of their object.
    ///
    /// - Parameters:
    ///   - count: the most bytes that they may have, with their names.
    ///   - body: appends them, each with a comma before it.
    @inline(__always)
    mutating func moreMembers(bytes count: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
        assert(nesting.expectsKey && needsComma, "More members come after a member of an object.")
        bytes.append(addingCapacity: count, initializingWith: body)
    }

    /// Writes a member in one step, for which room is made once.
    ///
    /// - Parameters:
    ///   - valueBytes: the most bytes that the value may have.
    ///   - value: appends the value, which must be JSON.
    @inline(__always)
    mutating func member(_ name: StaticString, valueBytes: Int, _ value: (inout OutputSpan<UInt8>) -> Void) {
        noteKey(name)
        noteValue()
        let isFirst = !needsComma
        bytes.append(addingCapacity: name.utf8CodeUnitCount + 4 + valueBytes) { room in
            room.append(key: name, isFirst: isFirst)
            value(&room)
        }
        needsComma = true
    }

    /// Writes the name of a member, escaped; its value comes next.
    public mutating func key(escaping name: String) {
        assert(nesting.key(), "A key stands in an object, and not after another key.")
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = false
        bytes.append(quoted: name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes true or false.
    public mutating func bool(_ value: Bool) {
        beginValue()
        append(value ? "true" : "false")
    }

    /// Writes null.
    public mutating func null() {
        beginValue()
        append("null")
    }

    /// Writes a whole number.
    public mutating func int(_ value: Int) {
        beginValue()
        bytes.append(addingCapacity: OutputSpan<UInt8>.longestNumber) { $0.append(value) }
    }

    /// Writes a number with at most six decimals, rounded to the nearest (a tie to the even one), without trailing
    /// zeros, without an exponent and without a sign if it is zero. NaN and infinity, which JSON lacks, become null.
    public mutating func number(_ value: Double) {
        beginValue()
        bytes.append(addingCapacity: OutputSpan<UInt8>.longestNumber) { $0.append(value) }
    }

    /// Writes a number with as many decimals as it takes to read the same number again. NaN and infinity, which JSON lacks,
    /// become null.
    public mutating func exactNumber(_ value: Double) {
        let rounded = Self.text(of: value)
        raw(!value.isFinite || Double(rounded) == value ? rounded : value.description)
    }

    /// Writes a string, escaped.
    public mutating func string(_ value: String) {
        beginValue()
        bytes.append(quoted: value)
    }

    /// Writes a value that is JSON, which is neither changed nor checked.
    public mutating func raw(_ json: String) {
        beginValue()
        var json = json
        json.withUTF8 { bytes.append(contentsOf: $0) }
    }

    /// Writes a value that is JSON, which is neither changed nor checked.
    public mutating func raw(_ json: UnsafeBufferPointer<UInt8>) {
        beginValue()
        bytes.append(contentsOf: json)
    }

    /// Writes a value that is JSON, which is neither changed nor checked.
    public mutating func raw(_ json: [UInt8]) {
        beginValue()
        bytes += json
    }

    private mutating func beginValue() {
        noteValue()
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func append(_ text: StaticString) {
        bytes.append(addingCapacity: text.utf8CodeUnitCount) { $0.append(text) }
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
