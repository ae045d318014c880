/// A value that contains other values.
@usableFromInline
enum JSONContainer {
    case object
    case array
}

/// Checks what a writer may write next. It is used only in assertions, so it costs nothing in release builds. Each step
/// returns whether it is allowed.
struct JSONNesting {
    /// The open containers, the innermost in the lowest bit. A set bit is an object.
    private var objects: UInt64 = 0
    private var depth = 0
    private var hasKey = false
    private var isComplete = false

    private var isInObject: Bool {
        depth > 0 && objects & 1 == 1
    }

    /// Whether the name of a member may come next.
    var expectsKey: Bool { isInObject && !hasKey }

    mutating func value() -> Bool {
        guard depth > 0 else {
            defer { isComplete = true }
            return !isComplete
        }
        defer { hasKey = false }
        return hasKey == isInObject
    }

    mutating func key() -> Bool {
        defer { hasKey = true }
        return expectsKey
    }

    mutating func open(_ container: JSONContainer) -> Bool {
        objects = objects << 1 | (container == .object ? 1 : 0)
        depth += 1
        return depth <= UInt64.bitWidth
    }

    mutating func close(_ container: JSONContainer) -> Bool {
        defer {
            objects >>= 1
            depth -= 1
        }
        return !hasKey && isInObject == (container == .object)
    }

    mutating func separate() -> Bool {
        isComplete = false
        return depth == 0
    }

    static func isPlain(_ name: StaticString) -> Bool {
        name.withUTF8Buffer { $0.allSatisfy { !$0.needsEscape } }
    }
}
