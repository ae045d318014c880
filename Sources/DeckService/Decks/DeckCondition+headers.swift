import DeckJournal
import MicroHTTP

extension DeckCondition {
    /// The condition of If-Match headers for a deck.
    init(_ tags: EntityTags?) {
        self = if let tags { tags == .any ? .any : .oneOf(tags.numbers) } else { .none }
    }

    /// The condition of a request that puts a deck: also `If-None-Match: *`, with which it only creates one.
    init(ofPut headers: HeaderFields) throws(Problem) {
        self.init(try EntityTags.ifMatch(headers))
        guard let unwanted = EntityTags(headers.values("If-None-Match")) else { return }
        guard unwanted == .any else { throw Problem(.malformedHeader, "If-None-Match must be *.") }
        // No deck meets both conditions.
        self = self == .none ? .absent : .oneOf([])
    }
}
