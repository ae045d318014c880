import DeckHost
import DeckWire
import Logging

/// The metadata of a line of the log, by name.
struct LogMembers: ~Copyable {
    private var json: JSONWriter
    /// Nil: the line is JSON.
    private var text: [UInt8]?

    static func json(
        _ level: Logger.Level,
        _ label: String,
        _ message: String,
        _ write: (inout LogMembers) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 448)
        writer.object { writer in
            writer.member("time", Timestamp.now().text)
            writer.member("level", level.rawValue)
            writer.member("label", label)
            writer.member("message", message)
            // The writer is moved, so that its buffer is not copied.
            var members = LogMembers(json: writer)
            writer = JSONWriter()
            write(&members)
            writer = members.json
        }
        writer.separator("\n")
        return writer.bytes
    }

    static func text(
        _ level: Logger.Level,
        _ label: String,
        _ message: String,
        _ write: (inout LogMembers) -> Void
    ) -> [UInt8] {
        var members = LogMembers(json: JSONWriter(), text: [])
        members.text?.reserveCapacity(320)
        members.text?.append(contentsOf: Timestamp.now().text.utf8)
        members.text?.append(UInt8(ascii: " "))
        members.text?.append(contentsOf: level.rawValue.utf8)
        members.text?.append(UInt8(ascii: " "))
        members.text?.append(contentsOf: label.utf8)
        members.text?.append(UInt8(ascii: ":"))
        write(&members)
        members.text?.append(UInt8(ascii: " "))
        members.text?.append(onOneLine: message)
        members.text?.append(UInt8(ascii: "\n"))
        return members.text ?? []
    }

    /// Adds a string.
    mutating func add(_ name: StaticString, _ value: String) {
        guard text != nil else { return json.member(name, value) }
        beginText(name)
        addText(value)
    }

    /// Adds a whole number.
    mutating func add(_ name: StaticString, _ value: Int) {
        guard text != nil else { return json.member(name, value) }
        beginText(name)
        text?.append(contentsOf: String(value).utf8)
    }

    /// Adds a number of at most six decimals.
    mutating func add(_ name: StaticString, _ value: Double) {
        guard text != nil else { return json.member(name, value) }
        var number = JSONWriter(capacity: 16)
        number.number(value)
        beginText(name)
        text?.append(contentsOf: number.bytes)
    }

    /// Adds true or false.
    mutating func add(_ name: StaticString, _ value: Bool) {
        guard text != nil else { return json.member(name, value) }
        beginText(name)
        text?.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// Adds metadata of the logging library. A name that every line already has gets a dot before it.
    mutating func add(_ name: String, _ value: Logger.MetadataValue) {
        guard text == nil else {
            text?.append(UInt8(ascii: " "))
            text?.append(onOneLine: name)
            text?.append(UInt8(ascii: "="))
            return addText("\(value)")
        }
        let isTaken = ["time", "level", "label", "message"].contains(name)
        json.key(escaping: isTaken ? "." + name : name)
        json.value(value)
    }

    private init(json: consuming JSONWriter, text: [UInt8]? = nil) {
        self.json = json
        self.text = text
    }

    private mutating func beginText(_ name: StaticString) {
        text?.append(UInt8(ascii: " "))
        text?.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        text?.append(UInt8(ascii: "="))
    }

    /// Adds a value, in quotes if it would be ambiguous without them.
    private mutating func addText(_ value: String) {
        if !value.isEmpty, value.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") }) {
            text?.append(contentsOf: value.utf8)
        } else {
            var quoted = JSONWriter()
            quoted.string(value)
            text?.append(onOneLine: String(decoding: quoted.bytes, as: UTF8.self))
        }
    }
}

extension JSONWriter {
    fileprivate mutating func value(_ value: Logger.MetadataValue) {
        switch value {
        case .string(let text): string(text)
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

extension [UInt8] {
    /// Appends text. Control characters become spaces, so that they neither end the line nor control a terminal.
    fileprivate mutating func append(onOneLine text: String) {
        for byte in text.utf8 { append(byte < 0x20 || byte == 0x7F ? 0x20 : byte) }
    }
}
