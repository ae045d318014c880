/// What is the same for every occurrence of a problem (RFC 9457, section 4).
struct ProblemDefinition: Sendable {
    /// The HTTP status of the response.
    var status: Int
    var title: String
    /// The meaning of the problem and what to do about it, for a person who opens its `type`.
    var explanation: String
    /// After how many seconds another try may succeed; nil: time alone changes nothing, or the problem says it itself.
    var retrySeconds: ClosedRange<Int>?
    /// The response's WWW-Authenticate; nil: the problem is not one of authentication.
    var challenge: Challenge?

    /// A value of WWW-Authenticate (RFC 6750, section 3).
    enum Challenge: String {
        case noToken = #"Bearer realm="deckd""#
        case invalidToken = #"Bearer realm="deckd", error="invalid_token""#
        case insufficientScope = #"Bearer realm="deckd", error="insufficient_scope""#
    }

    init(
        _ status: Int,
        _ title: String,
        retrySeconds: ClosedRange<Int>? = nil,
        challenge: Challenge? = nil,
        _ explanation: String
    ) {
        self.status = status
        self.title = title
        self.explanation = explanation
        self.retrySeconds = retrySeconds
        self.challenge = challenge
    }
}

/// Clients that are refused together get different numbers, so that they do not come back together.
extension ClosedRange<Int> {
    /// A load passes by itself.
    fileprivate static var load: ClosedRange { 1...3 }
    /// A quota is full until something is removed or ends.
    fileprivate static var quota: ClosedRange { 10...30 }
}

extension ProblemKind {
    /// `docs/errors.md` has the same table.
    var definition: ProblemDefinition {
        switch self {
        case .malformedRequest:
            .init(
                400,
                "The body cannot be read",
                """
                The body is not JSON (RFC 8259), a member is missing, unknown, repeated or of the wrong type, or it is \
                nested deeper than 32 levels. The pointers in `errors` say where. Nothing was changed.
                """
            )
        case .malformedTarget:
            .init(
                400,
                "The path cannot be read",
                """
                The path or the query contains a percent sign without two hexadecimal digits, or bytes that are not UTF-8, or a \
                deck is put with an id that has another form than ids have. Other requests for such a deck get 404.
                """
            )
        case .malformedQuery:
            .init(
                400,
                "The query cannot be read",
                "A query parameter is unknown, given twice, or has an invalid value. `detail` names it."
            )
        case .malformedHeader:
            .init(
                400,
                "A header cannot be read",
                "A header has an invalid value, or headers contradict each other. `detail` says which."
            )
        case .unauthorized:
            .init(
                401,
                "Authentication required",
                challenge: .noToken,
                """
                An API key or a session token is required, as `Authorization: Bearer …`. Decks, the creation of sessions \
                and the verdicts of all sessions require an API key; a single session also accepts its own tokens.
                """
            )
        case .invalidToken:
            .init(
                401,
                "Invalid credentials",
                challenge: .invalidToken,
                """
                The token is neither an API key nor a token of the session in the path, or there is no such session. The \
                tokens of a session are `token`, `playerToken` and `spectatorToken` in the answer that created it.
                """
            )
        case .keyExpired:
            .init(
                401,
                "The API key has expired",
                challenge: .invalidToken,
                "The API key was valid until the time in `detail`. The operator makes another one with `deckd key`."
            )
        case .forbidden:
            .init(
                403,
                "The token is read-only",
                challenge: .insufficientScope,
                """
                A spectator token only allows reading what is shown: frames, and the content of the cards that are shown and of the \
                next `rules.lookahead` cards. Everything else requires another token of the session or an API key.
                """
            )
        case .insufficientScope:
            .init(
                403,
                "The API key has no scope for this",
                challenge: .insufficientScope,
                """
                The API key has scopes, and none of them allows the request: `decks` allows decks, `sessions` allows creating \
                sessions and everything with every session, `feed` allows the feed, and `operate` allows listing sessions and \
                reading every session and every deck. Use another key. Nothing was changed.
                """
            )
        case .notAllowedForPlayers:
            .init(
                403,
                "Not allowed with a player token",
                challenge: .insufficientScope,
                """
                A player token allows the events of `rules.playerEvents` without `force`, a `PATCH` of `viewport`, `screen` and \
                `motion.reduced`, and reading what is shown. Other requests require the session's `token` or an API key. \
                Nothing was changed.
                """
            )
        case .foreignPage:
            .init(
                403,
                "The request may come from another web page",
                """
                The server has no API keys, so it refuses requests that a web page of another site can send: those with a \
                Host that is not loopback, or with the Origin of another site. Use 127.0.0.1, [::1] or localhost, set \
                `access.allowedHosts` or `access.allowedOrigins`, or set API keys.
                """
            )
        case .notFound:
            .init(
                404,
                "Not found",
                """
                There is no such path, deck, session or card, or the session was created without `record` and has no log, \
                or its log does not have the moment. \
                A session that has ended is answered with 410 instead.
                """
            )
        case .methodNotAllowed:
            .init(
                405,
                "Method not allowed",
                "The path exists but does not support the method. The Allow header lists the supported methods."
            )
        case .notAcceptable:
            .init(
                406,
                "No acceptable media type",
                "The Accept header excludes every media type of the answer; `detail` lists them."
            )
        case .timeRunsBackwards:
            .init(
                409,
                "The time is in the past",
                """
                The time is before the session's last event, or before the previous event of the batch. Nothing of the \
                request was applied. Send events in order. Past moments can be read if the session records.
                """
            )
        case .timeInTheFuture:
            .init(
                409,
                "The time is in the future",
                """
                The session uses the server's clock, and the time is in the future. Nothing of the request was applied. \
                Omit `at` to mean now, or take the time from the frames. Future moments can only be read with a manual \
                clock.
                """
            )
        case .requestUnderWay:
            .init(
                409,
                "The same request is being processed",
                retrySeconds: 1...1,
                "A request with the same Idempotency-Key is still being processed. Send it again after the time in `Retry-After`."
            )
        case .keyReused:
            .init(
                422,
                "The key was used for another request",
                "The Idempotency-Key was used with another request before. Use a new key for each request."
            )
        case .sessionEnded:
            .init(
                410,
                "The session has ended",
                "The session was deleted, or was not used for the configured time. Create another one."
            )
        case .cursorAhead:
            .init(
                410,
                "The cursor is ahead of the feed",
                """
                The feed has no row with this cursor or a later one: the server's data was replaced by older data, for example from \
                a backup. Rows that were read after the backup are lost. `cursor` has the newest cursor; continue after it, or \
                read the feed again from the start.
                """
            )
        case .preconditionFailed:
            .init(
                412,
                "The version has changed",
                """
                If-Match names another version than the current one. Read the current version, decide again, and send the \
                request again.
                """
            )
        case .bodyTooLarge:
            .init(
                413,
                "The body is too large",
                "The body is longer than the path allows. `detail` has the limit."
            )
        case .unsupportedMediaType:
            .init(
                415,
                "Unsupported media type",
                """
                The path does not accept this type of body: the Accept-Post or Accept-Patch header lists the accepted types. Or the \
                body has a Content-Encoding: send it without one.
                """
            )
        case .outOfRange:
            .init(
                422,
                "A value is out of range",
                """
                The body is well formed, but a value is outside its range. `errors` has the place and the range. Nothing \
                was changed.
                """
            )
        case .rateLimited:
            .init(
                429,
                "Too many requests",
                """
                The requests of a session may cost a limited number of units a second, and some more at once after a pause; \
                most events cost one. Spectators have a separate limit. `Retry-After` says when to send the request \
                again. `RateLimit-Policy` and `RateLimit` have the limit and the remainder. Nothing of the request was applied.
                """
            )
        case .tooExpensive:
            .init(
                422,
                "The request is too expensive",
                """
                The request costs more than a session may ever cost at once. `detail` has both numbers. Send less in one \
                request. Nothing of the request was applied.
                """
            )
        case .tooManyCardBytes:
            .init(
                422,
                "The cards have too many bytes",
                """
                With the change, the cards of the session or of the deck would have more bytes than allowed. `detail` has the \
                limit. Remove cards first, or give them less data. Nothing of the request was applied.
                """
            )
        case .tooManyCards:
            .init(
                422,
                "The deck has too many cards",
                """
                An engine in a client can have at most 100,000 cards whose order has changed. Use the frames of the server for \
                this session.
                """
            )
        case .tooManySessionsOfKey:
            .init(
                429,
                "The key has too many sessions",
                retrySeconds: .quota,
                "The API key has the maximum number of sessions. End some, or use another key."
            )
        case .tooManyCopies:
            .init(
                429,
                "The session has too many copies",
                retrySeconds: .quota,
                """
                The session has the maximum number of copies that were made with its token or with the tokens of its copies. End \
                some, or make the copy with an API key.
                """
            )
        case .internalError:
            .init(
                500,
                "Internal error",
                "This is a defect of deckd. The server's log has the details; please report it."
            )
        case .tooManySessions:
            .init(
                503,
                "Too many sessions",
                retrySeconds: .quota,
                "The server has the configured maximum of sessions. End some, or try again later."
            )
        case .tooManyDecks:
            .init(
                503,
                "Too many decks",
                retrySeconds: .quota,
                "The server has the configured maximum of decks. Delete some, or try again later."
            )
        case .tooManyStreams:
            .init(
                503,
                "Too many streams",
                retrySeconds: .quota,
                """
                The server or the session has its maximum of event streams, or its spectators have theirs. Close one, or poll the frame \
                instead.
                """
            )
        case .tooManyReplays:
            .init(
                503,
                "Too many replays",
                retrySeconds: .load,
                """
                A past moment is computed by replaying the session's log, and the maximum number of replays is running. \
                Try again soon.
                """
            )
        case .overloaded:
            .init(
                503,
                "The server is overloaded",
                retrySeconds: .load,
                """
                Too many large requests wait for a thread, or too many bytes of responses wait for clients to read them, or the \
                client's address has too many requests at once, or other requests changed the session or the deck at each \
                attempt. Nothing was changed, unless the detail says that the request was carried out. Try again after the time in \
                `Retry-After`; without this header, do not send the request again.
                """
            )
        case .memoryShort:
            .init(
                503,
                "Not enough memory",
                retrySeconds: .load,
                "There was not enough memory to read the body. Nothing was changed. Send the request again in a moment."
            )
        case .journalUnavailable:
            .init(
                503,
                "The journal is unavailable",
                retrySeconds: .load,
                """
                The server cannot use its journal. Nothing was changed, unless the detail says that the change was not \
                confirmed. Send the request again in a moment, with the same Idempotency-Key.
                """
            )
        case .stopping:
            .init(
                503,
                "The server is shutting down",
                retrySeconds: .load,
                """
                The server is shutting down and accepts no more requests. Nothing was changed, unless the detail says that \
                the change was not confirmed. Send the request again in a moment, with the same Idempotency-Key.
                """
            )
        }
    }
}
