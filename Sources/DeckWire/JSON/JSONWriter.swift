/// Writes JSON into a buffer that is kept from one document to the next.
///
/// Commas are written by themselves, and objects and arrays close when their closure ends, so what is left to get
/// wrong is the order of keys and values. Debug builds trap on a value without a key in an object, a key elsewhere, a
/// second value in a document, or a key that needs escaping; release builds do not check.
///
///     writer.object {
///         $0.member("index", 4)
///         $0.array("matrix") { for number in matrix { $0.number(number) } }
///     }
///
/// If a closure throws, the document is left open: call `removeAll()` before the next one.
public struct JSONWriter {
    /// What has been written, UTF-8.
    public private(set) var bytes: [UInt8] = []

    private var needsComma = false
    private var nesting = JSONNesting()

    /// Makes a writer with room for this many bytes; more are found as needed.
    public init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Begins again with an empty buffer, whose memory is kept unless someone else still holds `bytes`.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
        nesting = JSONNesting()
    }

    /// Writes text that stands between documents, such as the newline of JSON lines or the field of an event stream;
    /// the next value begins a document of its own.
    public mutating func separator(_ text: StaticString) {
        assert(nesting.separate(), "A separator stands between documents.")
        needsComma = false
        append(text)
    }

    /// Writes an object, whose members the closure writes.
    public mutating func object<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginValue()
        assert(nesting.open(.object), "JSON is nested too deep.")
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        try body(&self)
        assert(nesting.close(.object), "The last key has no value.")
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Writes an array, whose elements the closure writes.
    public mutating func array<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginValue()
        assert(nesting.open(.array), "JSON is nested too deep.")
        bytes.append(UInt8(ascii: "["))
        needsComma = false
        try body(&self)
        assert(nesting.close(.array), "The last key has no value.")
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Writes the name of a member; its value comes next. Names are plain: they need no escaping.
    public mutating func key(_ name: StaticString) {
        assert(nesting.key(), "A key stands in an object, and not after another key.")
        assert(JSONNesting.isPlain(name), "A key must not need escaping.")
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = false
        bytes.append(UInt8(ascii: "\""))
        append(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes the name of a member that may be anything, escaped; its value comes next.
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
        bytes.append(decimal: UInt64(value.magnitude), millionths: 0, isNegative: value < 0)
    }

    /// Writes a number with at most six decimals, rounded to the nearest (a tie to the even one), without trailing
    /// zeros, without an exponent and without a sign if it is zero. NaN and infinity, which JSON lacks, become null.
    public mutating func number(_ value: Double) {
        beginValue()
        if value.isFinite { bytes.append(decimal: value) } else { append("null") }
    }

    /// Writes a number so that reading it gives the same one again, however many decimals that takes. NaN and infinity,
    /// which JSON lacks, become null.
    public mutating func exactNumber(_ value: Double) {
        let rounded = Self.text(of: value)
        raw(!value.isFinite || Double(rounded) == value ? rounded : value.description)
    }

    /// Writes a string, escaped.
    public mutating func string(_ value: String) {
        beginValue()
        bytes.append(quoted: value)
    }

    /// Writes a string that needs no escaping, as the names of the wire do not.
    mutating func string(_ value: StaticString) {
        assert(JSONNesting.isPlain(value), "A constant string must not need escaping.")
        beginValue()
        bytes.append(UInt8(ascii: "\""))
        append(value)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a value that is JSON already, unchanged and unchecked.
    public mutating func raw(_ json: String) {
        beginValue()
        var json = json
        json.withUTF8 { bytes.append(contentsOf: $0) }
    }

    /// Writes a value that is JSON already, unchanged and unchecked.
    public mutating func raw(_ json: UnsafeBufferPointer<UInt8>) {
        beginValue()
        bytes.append(contentsOf: json)
    }

    /// Writes a value that is JSON already, unchanged and unchecked.
    public mutating func raw(_ json: [UInt8]) {
        beginValue()
        bytes += json
    }

    private mutating func beginValue() {
        assert(nesting.value(), "A member needs a key, and a document has one value.")
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
