import DeckJournal
import DeckWire
import Logging

/// Writes a line of the log, into memory that it uses again for the next line.
struct LogLine: ~Copyable {
    private let format: LogFormat
    private var json = JSONWriter(capacity: 512)
    private var text = TextBuffer(capacity: 512)
    /// The time of the last line, and its text. A busy server writes many lines in a millisecond.
    private var time = WallTime(milliseconds: 0)
    private var timeText = ""

    init(_ format: LogFormat) {
        self.format = format
    }

    /// Writes a line with its line break, in place of the last one. It is one line, whatever the values contain.
    ///
    /// - Parameter write: adds the metadata.
    mutating func write(
        _ level: Logger.Level,
        _ label: String,
        _ message: String,
        _ write: (inout LogLine) -> Void
    ) {
        noteTime()
        switch format {
        case .json:
            json.removeAll()
            json.beginObject()
            json.member("time", timeText)
            json.member("level", level.rawValue)
            json.member("label", label)
            json.member("message", message)
            write(&self)
            json.endObject()
            json.separator("\n")
        case .text:
            text.removeAll()
            text.append(string: timeText)
            text.append(byte: UInt8(ascii: " "))
            text.append(string: level.rawValue)
            text.append(byte: UInt8(ascii: " "))
            text.append(string: label)
            text.append(byte: UInt8(ascii: ":"))
            write(&self)
            text.append(byte: UInt8(ascii: " "))
            text.append(onOneLine: message)
            text.append(byte: UInt8(ascii: "\n"))
        }
    }

    private mutating func noteTime() {
        let now = WallTime.now()
        guard now != time else { return }
        time = now
        timeText = now.text
    }

    /// Calls the body with the bytes of the line.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        switch format {
        case .json: json.withBytes(body)
        case .text: text.withBytes(body)
        }
    }
}

// The metadata of a line.
extension LogLine {
    /// Adds a string.
    mutating func add(_ name: StaticString, _ value: String) {
        guard format == .text else { return json.member(name, value) }
        beginText(name)
        addText(value)
    }

    /// Adds a whole number.
    mutating func add(_ name: StaticString, _ value: Int) {
        guard format == .text else { return json.member(name, value) }
        beginText(name)
        text.append(number: value)
    }

    /// Adds a number of at most six decimals.
    mutating func add(_ name: StaticString, _ value: Double) {
        guard format == .text else { return json.member(name, value) }
        beginText(name)
        text.append(number: value)
    }

    /// Adds true or false.
    mutating func add(_ name: StaticString, _ value: Bool) {
        guard format == .text else { return json.member(name, value) }
        beginText(name)
        text.append(string: value ? "true" : "false")
    }

    /// Adds metadata of the logging library. A name that every line already has gets a dot before it.
    mutating func add(_ name: String, _ value: Logger.MetadataValue) {
        guard format == .json else {
            text.append(byte: UInt8(ascii: " "))
            text.append(onOneLine: name)
            text.append(byte: UInt8(ascii: "="))
            return addText("\(value)")
        }
        let isTaken = ["time", "level", "label", "message"].contains(name)
        json.key(escaping: isTaken ? "." + name : name)
        json.value(value)
    }

    private mutating func beginText(_ name: StaticString) {
        text.append(byte: UInt8(ascii: " "))
        text.append(string: name)
        text.append(byte: UInt8(ascii: "="))
    }

    /// Adds a value, in quotes if it would be ambiguous without them.
    private mutating func addText(_ value: String) {
        if !value.isEmpty, !value.hasControls, value.hasNone(where: { $0 == 0x20 || $0 == UInt8(ascii: "\"") }) {
            text.append(string: value)
        } else {
            var quoted = JSONWriter()
            quoted.string(value)
            text.append(onOneLine: String(decoding: quoted.bytes, as: UTF8.self))
        }
    }
}

extension JSONWriter {
    fileprivate mutating func value(_ value: Logger.MetadataValue) {
        switch value {
        case .string(let text): string(text)
        // A store of logs accepts one type for each name, and the lines of requests have numbers.
        case .stringConvertible(let number as Int): raw("\(number)")
        case .stringConvertible(let value): string("\(value)")
        case .array(let values): array { for value in values { $0.value(value) } }
        case .dictionary(let members):
            object {
                for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                    $0.key(escaping: name)
                    $0.value(member)
                }
            }
        }
    }
}

extension TextBuffer {
    /// Appends text. Control characters become spaces, so that they neither end the line nor control a terminal.
    fileprivate mutating func append(onOneLine text: String) {
        guard text.hasControls else { return append(string: text) }
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { line.append(scalar.isControl ? " " : scalar) }
        append(string: String(line))
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character: C0, DEL or C1.
    fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}

extension String {
    /// Whether there is a control character.
    fileprivate var hasControls: Bool {
        // In UTF-8, those of C1 begin with this byte.
        !hasNone { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 } && unicodeScalars.contains(where: \.isControl)
    }

    /// Whether no byte meets a condition. All bytes are looked at, so that the compiler can look at many at a time.
    @inline(__always)
    fileprivate func hasNone(where condition: (UInt8) -> Bool) -> Bool {
        var text = self
        return text.withUTF8 { bytes in
            var isMet = false
            for byte in bytes { isMet = condition(byte) || isMet }
            return !isMet
        }
    }
}
