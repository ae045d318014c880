/// A problem document (RFC 9457).
public struct Problem: Error, Sendable, Equatable {
    /// Which problem it is.
    public var kind: ProblemKind
    /// What is wrong this time, for a person.
    public var detail: String
    /// What is wrong where in the body.
    public var issues: [WireIssue] = []
    /// The frame as it is now, as JSON, where the client took it for another.
    public var frame: String?
    /// What lies behind it, for those who run the server: the document does not have it.
    public var cause: String?
    /// Header fields that go with it.
    public var fields: [ProblemField] = []

    /// A problem with what is wrong this time.
    public init(_ kind: ProblemKind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    /// The problem that a body which cannot be read makes.
    public init(_ error: WireError) {
        let kind: ProblemKind =
            switch error.kind {
            case .malformed: .malformedRequest
            case .outOfRange: .outOfRange
            case .memoryShort: .memoryShort
            }
        self.init(kind, "")
        issues = error.errors
        detail = issues.map { $0.pointer.isEmpty ? "The body \($0.detail)." : "\($0.pointer) \($0.detail)." }
            .joined(separator: " ")
    }

    /// Writes the document.
    ///
    /// - Parameter instance: the path that was asked for; nil if there is none.
    public func write(instance: String?, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("type", "/problems/\(kind.rawValue)")
            writer.member("title", kind.title)
            writer.member("status", kind.status)
            writer.member("detail", detail)
            if let instance { writer.member("instance", instance) }
            if let frame { writer.member("frame", raw: frame) }
            guard !issues.isEmpty else { return }
            writer.array("errors") { writer in
                for issue in issues {
                    writer.object {
                        $0.member("pointer", issue.pointer)
                        $0.member("detail", issue.detail)
                    }
                }
            }
        }
    }
}

/// A header field that goes with a problem document.
public struct ProblemField: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// Its value.
    public var value: String

    /// Puts a field together.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// Every problem that deckd answers with.
public enum ProblemKind: String, Sendable, Equatable, CaseIterable {
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
    public var status: Int {
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
    public var title: String {
        switch self {
        case .malformedRequest: "The body cannot be read"
        case .malformedTarget: "The path cannot be read"
        case .malformedQuery: "The query cannot be read"
        case .malformedHeader: "A field cannot be read"
        case .requestUnderWay: "The same request is under way"
        case .keyReused: "The key belongs to another request"
        case .unauthorized: "Nobody said who asks"
        case .invalidToken: "The token fits nothing here"
        case .forbidden: "The token does not reach that far"
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
        case .rateLimited: "Too much at once"
        case .tooManySessionsOfKey: "The key has too many sessions"
        case .internalError: "Something went wrong here"
        case .tooManySessions: "There are too many sessions"
        case .tooManyDecks: "There are too many decks"
        case .tooManyStreams: "There are too many streams"
        case .tooManyReplays: "Too many logs are being played"
        case .memoryShort: "There is no memory at the moment"
        case .journalUnavailable: "Nothing can be kept at the moment"
        case .stopping: "The server is stopping"
        }
    }

    /// What it means and what to do about it, for a person who follows a problem's `type`.
    public var explanation: String {
        switch self {
        case .malformedRequest:
            """
            The body is not JSON (RFC 8259), a member is missing, unknown, repeated or of the wrong type, or it is \
            nested deeper than 32 levels. The pointers in `errors` say where. Nothing was changed.
            """
        case .malformedTarget:
            "The path or the query holds a percent sign without two hexadecimal digits, or bytes that are not UTF-8."
        case .malformedQuery:
            "A query parameter is unknown, given twice, or of a value it cannot have. `detail` names it."
        case .malformedHeader:
            "A header field has a value it cannot have, or fields contradict each other. `detail` says which."
        case .requestUnderWay:
            "A request with the same Idempotency-Key has not been answered yet. Send it again in a moment."
        case .keyReused:
            "The Idempotency-Key came with another request before. Give each request a key of its own."
        case .unauthorized:
            """
            An API key or a session's token is needed, as `Authorization: Bearer …`. Decks, the beginning of sessions \
            and the verdicts of all sessions take an API key; one session takes its own token too.
            """
        case .invalidToken:
            """
            The token is no API key, and no token of the session that the path names; or there is no such session. A \
            token is what the answer to the session's beginning had as `token` or `spectatorToken`.
            """
        case .forbidden:
            "The token is a spectator's, which reads only. Changing the session takes its other token, or an API key."
        case .notFound:
            """
            There is no such path, deck, session or card, or the session was begun without `record` and has no log. A \
            session that has ended answers 410 instead.
            """
        case .methodNotAllowed:
            "The path exists, the method does not apply to it. The Allow field lists those that do."
        case .notAcceptable:
            "The Accept field leaves out the one media type that is answered here; `detail` names it."
        case .timeRunsBackwards:
            """
            The time lies before the session's last event, or before the event before it in the batch. Nothing of the \
            request was applied. Send events in their order; past moments can be read of a session that records.
            """
        case .timeInTheFuture:
            """
            The session's clock is the server's, and the time lies after now. Nothing of the request was applied. Leave out \
            `at`, or take the time from the frames; a session with a manual clock can be looked ahead of.
            """
        case .sessionEnded:
            "The session was deleted, or not used for as long as it may be. Begin another one."
        case .preconditionFailed:
            "If-Match names another version than the current one. Read it again, decide again, send again."
        case .bodyTooLarge:
            "The body is longer than the path allows. `detail` says how long it may be."
        case .unsupportedMediaType:
            "The body is of a type that is not read here. The Accept-Post or Accept-Patch field lists those that are."
        case .outOfRange:
            """
            The body is well formed, but a value is not one it can have. The pointers in `errors` say where and what \
            the range is. Nothing was changed.
            """
        case .rateLimited:
            """
            A session takes so many events a second, and some more at once after a rest; each event of a batch counts. \
            `Retry-After` says when these will be taken, `RateLimit-Policy` and `RateLimit` what the limit is and what \
            is left. Nothing of the request was applied.
            """
        case .tooManySessionsOfKey:
            "The API key has begun as many sessions as it may have at a time. End some, or use another key."
        case .internalError:
            "This is a defect of deckd. The log has more; please report it."
        case .tooManySessions:
            "The server holds as many sessions as it is configured to. End some, or try again later."
        case .tooManyDecks:
            "The server holds as many decks as it is configured to. Delete some, or try again later."
        case .tooManyStreams:
            "The server or the session has as many event streams as it may. Close one, or poll the frame instead."
        case .tooManyReplays:
            "A past moment is found by playing the session's log, and the server plays as many as it may. Ask again soon."
        case .memoryShort:
            "There was no memory to read the body with. Nothing was changed. Send it again in a moment."
        case .journalUnavailable:
            "What the request changed could not be kept, so it was not done. Send it again in a moment."
        case .stopping:
            "The server is being stopped and takes nothing new. Try again in a moment."
        }
    }
}
