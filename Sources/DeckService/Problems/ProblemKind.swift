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
    case notAPlayersEvent = "not-a-players-event"
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
    var status: Int {
        switch self {
        case .malformedRequest, .malformedTarget, .malformedQuery, .malformedHeader: 400
        case .unauthorized, .invalidToken, .keyExpired: 401
        case .forbidden, .insufficientScope, .notAPlayersEvent, .foreignPage: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .notAcceptable: 406
        case .timeRunsBackwards, .timeInTheFuture, .requestUnderWay: 409
        case .sessionEnded, .cursorAhead: 410
        case .preconditionFailed: 412
        case .bodyTooLarge: 413
        case .unsupportedMediaType: 415
        case .outOfRange, .keyReused, .tooExpensive, .tooManyCardBytes, .tooManyCards: 422
        case .rateLimited, .tooManySessionsOfKey, .tooManyCopies: 429
        case .internalError: 500
        case .tooManySessions, .tooManyDecks, .tooManyStreams, .tooManyReplays, .overloaded, .memoryShort,
            .journalUnavailable, .stopping:
            503
        }
    }

    /// After how many seconds another try may succeed; nil: time alone changes nothing, or the problem says it itself.
    ///
    /// A load passes by itself. A quota is full until something is removed or ends. Clients that are refused together get
    /// different numbers, so that they do not come back together.
    var retrySeconds: ClosedRange<Int>? {
        switch self {
        case .requestUnderWay: 1...1
        case .tooManyReplays, .overloaded, .memoryShort, .journalUnavailable, .stopping: 1...3
        case .tooManySessionsOfKey, .tooManyCopies, .tooManySessions, .tooManyDecks, .tooManyStreams: 10...30
        default: nil
        }
    }

    /// The title, the same for every occurrence.
    var title: String {
        switch self {
        case .malformedRequest: "The body cannot be read"
        case .malformedTarget: "The path cannot be read"
        case .malformedQuery: "The query cannot be read"
        case .malformedHeader: "A header cannot be read"
        case .requestUnderWay: "The same request is being processed"
        case .keyReused: "The key was used for another request"
        case .unauthorized: "Authentication required"
        case .invalidToken: "Invalid credentials"
        case .keyExpired: "The API key has expired"
        case .forbidden: "The token is read-only"
        case .insufficientScope: "The API key has no scope for this"
        case .notAPlayersEvent: "Not allowed with a player token"
        case .foreignPage: "The request may come from another web page"
        case .notFound: "Not found"
        case .methodNotAllowed: "Method not allowed"
        case .notAcceptable: "No acceptable media type"
        case .timeRunsBackwards: "The time is in the past"
        case .timeInTheFuture: "The time is in the future"
        case .sessionEnded: "The session has ended"
        case .cursorAhead: "The cursor is ahead of the feed"
        case .preconditionFailed: "The version has changed"
        case .bodyTooLarge: "The body is too large"
        case .unsupportedMediaType: "Unsupported media type"
        case .outOfRange: "A value is out of range"
        case .rateLimited: "Too many requests"
        case .tooExpensive: "The request is too expensive"
        case .tooManyCardBytes: "The cards have too many bytes"
        case .tooManyCards: "The deck has too many cards"
        case .tooManySessionsOfKey: "The key has too many sessions"
        case .tooManyCopies: "The session has too many copies"
        case .internalError: "Internal error"
        case .tooManySessions: "Too many sessions"
        case .tooManyDecks: "Too many decks"
        case .tooManyStreams: "Too many streams"
        case .tooManyReplays: "Too many replays"
        case .overloaded: "The server is overloaded"
        case .memoryShort: "Not enough memory"
        case .journalUnavailable: "The journal is unavailable"
        case .stopping: "The server is shutting down"
        }
    }
}
