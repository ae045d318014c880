import CSimdJSON
import Glibc

/// One value of a document that a `JSONParser` reads, valid only inside the closure that was given it.
///
/// Each reading method throws a `WireError` that points at this value: `malformed` if the value has another type,
/// `outOfRange` if it has the right type but is not allowed. Null is a separate type and never stands for absence.
/// A reader that allows it asks `isNull` first.
public struct JSONValue {
    let nodes: UnsafePointer<CSJNode>
    let source: UnsafePointer<UInt8>
    let index: Int

    var node: UnsafePointer<CSJNode> {
        nodes + index
    }

    func value(at index: Int) -> JSONValue {
        JSONValue(nodes: nodes, source: source, index: index)
    }

    /// The value's type.
    public var kind: JSONKind {
        switch node.pointee.kind {
        case .object: .object
        case .array: .array
        case .string: .string
        case .number: .number
        case .true, .false: .bool
        case .null: .null
        }
    }

    /// Whether the value is null.
    public var isNull: Bool {
        node.pointee.kind == .null
    }

    /// The value's bytes in the document, exactly, without the whitespace around it.
    public var rawBytes: UnsafeBufferPointer<UInt8> {
        let start = Int(node.pointee.raw_start)
        return UnsafeBufferPointer(start: source + start, count: Int(node.pointee.raw_end) - start)
    }

    /// The characters of a string, unescaped.
    var text: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: node.pointee.text, count: Int(node.pointee.text_length))
    }

    /// The member name of a value in an object, unescaped; empty for other values.
    var key: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: node.pointee.key, count: Int(node.pointee.key_length))
    }

    /// Whether the value is this string.
    public func matches(_ name: StaticString) -> Bool {
        node.pointee.kind == .string && text.isEqual(to: name)
    }

    /// The first member of this name if the value is an object that has one, without any check of the other members:
    /// for looking at the member that says which ones are allowed.
    public func peek(_ name: StaticString) -> JSONValue? {
        guard node.pointee.kind == .object else { return nil }
        var child = index + 1
        let end = Int(node.pointee.end)
        while child < end {
            let member = value(at: child)
            if member.key.isEqual(to: name) { return member }
            child = Int(member.node.pointee.end)
        }
        return nil
    }
}

/// A copy that outlived the closure would read freed memory, so the compiler keeps values on their thread at least.
@available(*, unavailable)
extension JSONValue: Sendable {}

extension UnsafeBufferPointer<UInt8> {
    func isEqual(to name: StaticString) -> Bool {
        guard count == name.utf8CodeUnitCount else { return false }
        guard let baseAddress else { return true }
        return memcmp(baseAddress, name.utf8Start, count) == 0
    }
}
