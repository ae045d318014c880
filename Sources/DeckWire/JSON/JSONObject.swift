import CSimdJSON

/// An object whose members are all allowed and all different. It is valid as long as the value that it was read from.
public struct JSONObject {
    /// The object as a value, for errors about all of it.
    public let value: JSONValue

    /// The number of members.
    public var count: Int {
        Int(value.node.pointee.count)
    }

    /// The member with this name, even if it is null; nil if there is none.
    public subscript(_ name: StaticString) -> JSONValue? {
        value.peek(name)
    }

    /// The member with this name, even if it is null. If there is none, the error points to its place.
    public func required(_ name: StaticString) throws(WireError) -> JSONValue {
        guard let member = value.peek(name) else {
            let token = name.withUTF8Buffer(JSONValue.escaped)
            throw WireError(.malformed, at: "\(value.pointer)/\(token)", "is missing")
        }
        return member
    }
}

@available(*, unavailable)
extension JSONObject: Sendable {}

extension JSONWriter {
    /// Writes the members of an object without changes.
    public mutating func copyMembers(of object: JSONValue) {
        for (name, value) in object.members {
            key(escaping: name)
            raw(value.rawBytes)
        }
    }
}

/// The members of an object in order, with their names. They are valid as long as the value that they were read from.
struct JSONMembers: Sequence, IteratorProtocol {
    fileprivate var upcoming: JSONValue
    fileprivate let end: Int

    mutating func next() -> (name: String, value: JSONValue)? {
        guard upcoming.index < end else { return nil }
        defer { upcoming = upcoming.value(at: Int(upcoming.node.pointee.end)) }
        return (String(decoding: upcoming.key, as: UTF8.self), upcoming)
    }
}

extension JSONValue {
    /// The members of an object; no members for other values.
    var members: JSONMembers {
        let end = node.pointee.kind == .object ? Int(node.pointee.end) : index
        return JSONMembers(upcoming: value(at: index + 1), end: end)
    }
}

extension JSONValue {
    /// The object, if the value is an object, each member has one of these names, and no name appears twice.
    ///
    /// It allocates nothing unless it fails, if the names are in a constant.
    ///
    /// - Parameter names: at most 64 names.
    public func object(allowing names: [StaticString]) throws(WireError) -> JSONObject {
        precondition(names.count <= UInt64.bitWidth, "An object has at most 64 known members.")
        guard node.pointee.kind == .object else { throw mismatch("an object") }
        var seen: UInt64 = 0
        var child = index + 1
        let end = Int(node.pointee.end)
        while child < end {
            let member = value(at: child)
            let key = member.key
            guard let position = names.firstIndex(where: { key.isEqual(to: $0) }) else {
                throw unknown(member, names)
            }
            guard seen & (1 << UInt64(position)) == 0 else { throw member.malformed("appears twice in this object") }
            seen |= 1 << UInt64(position)
            child = Int(member.node.pointee.end)
        }
        return JSONObject(value: self)
    }

    private func unknown(_ member: JSONValue, _ names: [StaticString]) -> WireError {
        let known = names.isEmpty ? "it has none" : "known are: \(Self.list(names))"
        let length = member.key.count
        guard length <= Self.longestNameInPointer else {
            return malformed("has a member of an unknown name of \(length) bytes; \(known)")
        }
        return member.malformed("is not a member of this object; \(known)")
    }
}
