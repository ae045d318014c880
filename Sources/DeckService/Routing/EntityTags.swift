import MicroHTTP

/// The entity tags of If-Match or If-None-Match headers (RFC 9110, section 13.1).
enum EntityTags: Sendable, Equatable {
    case any
    case listed([String])

    /// Reads headers in order; several headers are one list. nil: there is none.
    init?(_ fields: [String]) {
        guard let first = fields.first else { return nil }
        if fields.count == 1, !first.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0.isBlank }) {
            self = first == "*" ? .any : .listed(first.isEmpty ? [] : fields)
            return
        }
        let parts: [Substring] = fields.flatMap { $0.split(separator: ",") }
        let tags = parts.map { part in String(part.filter { $0 != " " && $0 != "\t" }) }
        self = tags == ["*"] ? .any : .listed(tags)
    }

    /// Reads the If-Match headers of a request; nil: there is none.
    ///
    /// - Throws: a problem if they are neither `*` nor a list of tags in quotes.
    static func ifMatch(_ headers: HeaderFields) throws(Problem) -> EntityTags? {
        let fields = headers.values("If-Match")
        guard let tags = EntityTags(fields) else { return nil }
        guard tags == .any || isList(fields.joined(separator: ",")) else {
            throw Problem(.malformedHeader, "If-Match must be * or entity tags in quotes, such as \"17\".")
        }
        return tags
    }

    /// Whether a string is a list of entity tags (RFC 9110, section 8.8.3), with at least one.
    private static func isList(_ text: String) -> Bool {
        var rest = Substring(text).utf8
        var count = 0
        while true {
            rest = rest.drop { $0.isBlank || $0 == UInt8(ascii: ",") }
            guard !rest.isEmpty else { return count > 0 }
            if rest.starts(with: "W/".utf8) { rest = rest.dropFirst(2) }
            guard rest.popFirst() == UInt8(ascii: "\"") else { return false }
            rest = rest.drop { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7F }
            guard rest.popFirst() == UInt8(ascii: "\"") else { return false }
            rest = rest.drop(while: \.isBlank)
            guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return false }
            count += 1
        }
    }

    /// The tags that are whole numbers in quotes, as those of the server. In a strong comparison weak tags do not count.
    var numbers: [Int] {
        guard case .listed(let tags) = self else { return [] }
        return tags.compactMap { tag in
            let number = Int(tag.dropFirst().dropLast())
            return number.map { "\"\($0)\"" } == tag ? number : nil
        }
    }

    /// Whether a tag is among them in a weak comparison.
    func weaklyContains(_ tag: String) -> Bool {
        switch self {
        case .any: true
        case .listed(let tags): tags.contains { $0 == tag || $0.hasPrefix("W/") && $0.dropFirst(2) == tag }
        }
    }
}
