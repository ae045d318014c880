/// Every problem that deckd answers with.
enum ProblemKind: String, Sendable, Equatable, CaseIterable {
    case malformedRequest = "malformed-request"
    case malformedTarget = "malformed-target"
    case malformedQuery = "malformed-query"
    case malformedHeader = "malformed-header"
    case unauthorized = "unauthorized"
    case invalidToken = "invalid-token"
    case forbidden = "forbidden"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case timeRunsBackwards = "time-runs-backwards"
    case timeInTheFuture = "time-in-the-future"
    case requestUnderWay = "request-under-way"
    case keyReused = "idempotency-key-reused"
    case sessionEnded = "session-ended"
    case preconditionFailed = "precondition-failed"
    case bodyTooLarge = "body-too-large"
    case unsupportedMediaType = "unsupported-media-type"
    case outOfRange = "out-of-range"
    case rateLimited = "rate-limited"
    case tooManySessionsOfKey = "too-many-sessions-of-key"
    case internalError = "internal-error"
    case tooManySessions = "too-many-sessions"
    case tooManyDecks = "too-many-decks"
    case tooManyStreams = "too-many-streams"
    case tooManyReplays = "too-many-replays"
    case memoryShort = "memory-short"
    case journalUnavailable = "journal-unavailable"
    case stopping = "stopping"

    /// The HTTP status it is answered with.
    var status: Int {
        switch self {
        case .malformedRequest, .malformedTarget, .malformedQuery, .malformedHeader: 400
        case .unauthorized, .invalidToken: 401
        case .forbidden: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .notAcceptable: 406
        case .timeRunsBackwards, .timeInTheFuture, .requestUnderWay: 409
        case .sessionEnded: 410
        case .preconditionFailed: 412
        case .bodyTooLarge: 413
        case .unsupportedMediaType: 415
        case .outOfRange, .keyReused: 422
        case .rateLimited, .tooManySessionsOfKey: 429
        case .internalError: 500
        case .tooManySessions, .tooManyDecks, .tooManyStreams, .tooManyReplays, .memoryShort, .journalUnavailable,
            .stopping:
            503
        }
    }

    /// What it is called, the same each time.
    var title: String {
        switch self {
        case .malformedRequest: "The body cannot be read"
        case .malformedTarget: "The path cannot be read"
        case .malformedQuery: "The query cannot be read"
        case .malformedHeader: "A header cannot be read"
        case .requestUnderWay: "The same request is under way"
        case .keyReused: "The key belongs to another request"
        case .unauthorized: "Authentication required"
        case .invalidToken: "The token is not valid here"
        case .forbidden: "The token allows reading only"
        case .notFound: "There is nothing here"
        case .methodNotAllowed: "The method does not apply here"
        case .notAcceptable: "There is no such representation"
        case .timeRunsBackwards: "Time does not run backwards"
        case .timeInTheFuture: "The time is in the future"
        case .sessionEnded: "The session has ended"
        case .preconditionFailed: "It has changed since"
        case .bodyTooLarge: "The body is too large"
        case .unsupportedMediaType: "The body is of another type"
        case .outOfRange: "A value is out of range"
        case .rateLimited: "Too many events"
        case .tooManySessionsOfKey: "The key has too many sessions"
        case .internalError: "Something went wrong here"
        case .tooManySessions: "There are too many sessions"
        case .tooManyDecks: "There are too many decks"
        case .tooManyStreams: "There are too many streams"
        case .tooManyReplays: "Too many logs are being played"
        case .memoryShort: "There is no memory at the moment"
        case .journalUnavailable: "Nothing can be saved at the moment"
        case .stopping: "The server is stopping"
        }
    }
}
