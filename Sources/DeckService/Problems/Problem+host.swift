import DeckEngine
import DeckHost
import DeckWire
import MicroHTTP

extension Problem {
    /// The problem for an error of the host. This is the only place where the host's errors get their statuses.
    init(_ error: HostError) {
        switch error {
        case .journal(let error): self.init(error)
        case .unreadable(let detail): self.init(.journalUnavailable, detail)
        case .notFound: self.init(.notFound, "There is no session with this id.")
        case .ended: self.init(.sessionEnded, "The session has ended.")
        case .preconditionFailed(let current): self.init(current)
        case .keyInUse(let key):
            self.init(.requestUnderWay, "A request with the key \(key) has not been answered yet.")
        case .keyReused(let key): self.init(.keyReused, "The key \(key) was used with another request.")
        case .timeRunsBackwards(let pointer, let former):
            let detail = "is before \(former.text) ms, the time of the previous event"
            self.init(.timeRunsBackwards, at: pointer, detail)
        case .timeInTheFuture(let pointer, let now):
            let detail = "is in the future; the session's clock is at \(now.text) ms"
            self.init(.timeInTheFuture, at: pointer, detail)
        case .invalid(let error): self.init(error)
        case .rateLimited(let cost, let limit, let left): self.init(cost, limit, left)
        case .tooExpensive(let cost, let limit):
            self.init(.tooExpensive, "The request costs \(cost) units. The maximum for one request is \(limit).")
        case .notAllowedForPlayers(let pointer, let detail): self.init(.notAllowedForPlayers, at: pointer, detail)
        case .tooManyCardBytes(let limit):
            self.init(.tooManyCardBytes, "The cards of a session may have at most \(limit) bytes.")
        case .overloaded: self.init(.overloaded, "Too many requests wait for a thread.")
        case .contended:
            self.init(.overloaded, "Other requests changed the session at each attempt.")
        case .notRecorded, .momentPassed, .momentToCome, .logEnded, .logForgotten, .tooManyReplays:
            self.init(ofMoment: error)
        }
    }

    /// The problem for a past moment that cannot be shown.
    private init(ofMoment error: HostError) {
        switch error {
        case .notRecorded:
            let detail = "A time other than now requires a session with a manual clock or with `record`."
            self.init(.malformedQuery, detail)
        case .momentPassed(let last):
            let detail = "The time is before \(last.text) ms, the time of the last event."
            self.init(.timeRunsBackwards, detail)
        case .tooManyReplays:
            self.init(.tooManyReplays, "The maximum number of replays is running, of this session or of all sessions.")
        case .logEnded:
            self.init(.notFound, "The session's log was full before this time.")
        case .logForgotten:
            self.init(.notFound, "The lines of the session's log for this time were removed because of their age.")
        default:
            self.init(.timeInTheFuture, "The time is in the future, which only a session with a manual clock can show.")
        }
    }

    private init(_ kind: ProblemKind, at pointer: String, _ detail: String) {
        self.init(kind, "\(pointer) \(detail).")
        issue = WireIssue(pointer: pointer, detail: detail)
    }

    /// The problem for a session whose version is not the expected one. The document has the current frame. The ETag header has
    /// the current version for `If-Match`, also while the session moves.
    private init(_ current: CurrentSession) {
        self.init(.preconditionFailed, "The session's current version is \(current.session.version).")
        headers.set("ETag", "\"\(current.session.version)\"")
        self.current = Shared(current)
    }

    private init(_ cost: Int, _ limit: CostLimit, _ left: TokenBucket.Left) {
        let detail = """
            The request costs \(cost) units. The bucket has \(left.units), and \(limit.perSecond) are added each second.
            """
        self.init(.rateLimited, detail)
        retrySeconds = left.seconds...left.seconds
    }
}

extension Instant {
    /// The time in milliseconds, as answers write it.
    fileprivate var text: String { JSONWriter.text(of: milliseconds) }
}

extension Result where Failure == HostError {
    /// The value. If there is none, a problem is thrown.
    func getOrProblem() throws(Problem) -> Success {
        switch self {
        case .success(let value): return value
        case .failure(let error): throw Problem(error)
        }
    }
}
