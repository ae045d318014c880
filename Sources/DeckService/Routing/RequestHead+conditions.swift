import DeckHost
import DeckJournal
import MicroHTTP

/// The conditions of a request (RFC 9110, section 13).
extension RequestHead {
    /// The tags of what the client knows (If-None-Match); nil: the request has none.
    var knownTags: EntityTags? { EntityTags(headers.values("If-None-Match")) }

    /// What must be true of a session (If-Match); `*` allows every version.
    func versionCondition() throws(Problem) -> VersionCondition {
        guard let tags = try EntityTags.ifMatch(headers), tags != .any else { return .none }
        return .oneOf(tags.numbers)
    }

    /// What must be true of a deck (If-Match).
    func deckCondition() throws(Problem) -> DeckCondition {
        guard let tags = try EntityTags.ifMatch(headers) else { return .none }
        return tags == .any ? .any : .oneOf(tags.numbers)
    }

    /// What must be true of a deck that the request puts: also `If-None-Match: *`, with which it only creates one.
    func deckPutCondition() throws(Problem) -> DeckCondition {
        let condition = try deckCondition()
        guard let unwanted = knownTags else { return condition }
        guard unwanted == .any else { throw Problem(.malformedHeader, "If-None-Match must be *.") }
        // No deck meets both conditions.
        return condition == .none ? .absent : .oneOf([])
    }
}
