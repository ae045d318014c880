/// Every problem that deckd answers with.
enum ProblemKind: String, Sendable, Equatable, CaseIterable {
    case malformedRequest = "malformed-request"
    case malformedTarget = "malformed-target"
    case malformedQuery = "malformed-query"
    case malformedHeader = "malformed-header"
    case unauthorized = "unauthorized"
    case invalidToken = "invalid-token"
    case keyExpired = "key-expired"
    case forbidden = "forbidden"
    case insufficientScope = "insufficient-scope"
    case notAllowedForPlayers = "not-a-players-event"
    case foreignPage = "foreign-page"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case timeRunsBackwards = "time-runs-backwards"
    case timeInTheFuture = "time-in-the-future"
    case requestUnderWay = "request-under-way"
    case keyReused = "idempotency-key-reused"
    case sessionEnded = "session-ended"
    case cursorAhead = "cursor-ahead"
    case preconditionFailed = "precondition-failed"
    case bodyTooLarge = "body-too-large"
    case unsupportedMediaType = "unsupported-media-type"
    case outOfRange = "out-of-range"
    case rateLimited = "rate-limited"
    case tooExpensive = "too-expensive"
    case tooManyCardBytes = "too-many-card-bytes"
    case tooManyCards = "too-many-cards"
    case tooManySessionsOfKey = "too-many-sessions-of-key"
    case tooManyCopies = "too-many-copies"
    case internalError = "internal-error"
    case tooManySessions = "too-many-sessions"
    case tooManyDecks = "too-many-decks"
    case tooManyStreams = "too-many-streams"
    case tooManyReplays = "too-many-replays"
    case overloaded = "overloaded"
    case memoryShort = "memory-short"
    case journalUnavailable = "journal-unavailable"
    case stopping = "stopping"

    /// The HTTP status of the response.
    var status: Int { definition.status }
    /// The title, the same for every occurrence.
    var title: String { definition.title }
    /// The meaning of the problem and what to do about it.
    var explanation: String { definition.explanation }
}
