extension ProblemKind {
    /// What it means and what to do about it, for a person who follows a problem's `type`.
    var explanation: String {
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
