import MicroHTTP

/// The entity tags of If-Match or If-None-Match headers (RFC 9110, section 13.1).
enum EntityTags: Sendable, Equatable {
    case any
    case listed([String])

    /// Reads headers in order; several headers are one list. nil: there is none.
    init?(_ fields: [String]) {
        guard !fields.isEmpty else { return nil }
        let parts: [Substring] = fields.flatMap { $0.split(separator: ",") }
        let tags = parts.map { part in String(part.filter { $0 != " " && $0 != "\t" }) }
        self = tags == ["*"] ? .any : .listed(tags)
    }

    /// The tags that are whole numbers in quotes, as those of the server. In a strong comparison weak tags do not count.
    var numbers: [Int] {
        guard case .listed(let tags) = self else { return [] }
        return tags.compactMap { tag in
            tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count > 2 ? Int(tag.dropFirst().dropLast()) : nil
        }
    }

    /// Whether a tag is among them in a weak comparison.
    func weaklyContains(_ tag: String) -> Bool {
        switch self {
        case .any: true
        case .listed(let tags): tags.contains(tag) || tags.contains("W/" + tag)
        }
    }
}
