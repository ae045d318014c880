import DeckHost

extension VersionCondition {
    /// The condition of If-Match headers; `*` allows every version.
    init(_ tags: EntityTags?) {
        self = if let tags, tags != .any { .oneOf(tags.numbers) } else { .none }
    }
}
