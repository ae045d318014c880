import DeckHost

extension VersionCondition {
    /// What If-Match fields say; `*` fits every session that there is.
    init(_ tags: EntityTags?) {
        switch tags {
        case nil, .any: self = .none
        // Tags are compared strongly, so a weak one names no version.
        case .listed(let tags): self = .oneOf(tags.compactMap(\.strongName))
        }
    }
}

extension String {
    /// The string between the quotes of a strong entity tag; nil: it is none.
    fileprivate var strongName: String? {
        guard utf8.count >= 2, hasPrefix("\""), hasSuffix("\"") else { return nil }
        return String(dropFirst().dropLast())
    }
}
