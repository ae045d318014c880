import DeckHost

extension VersionCondition {
    /// The condition of If-Match headers; `*` allows every version.
    init(_ tags: EntityTags?) {
        switch tags {
        case nil, .any: self = .none
        case .listed: self = .oneOf(tags?.numbers ?? [])
        }
    }
}
