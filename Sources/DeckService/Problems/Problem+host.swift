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
        case .notFound: self.init(.notFound, "There is no such session.")
        case .ended: self.init(.sessionEnded, "The session has ended.")
        case .preconditionFailed(let current): self.init(current)
        case .keyInUse(let key):
            self.init(.requestUnderWay, "A request with the key \(key) has not been answered yet.")
        case .keyReused(let key): self.init(.keyReused, "The key \(key) came with another request before.")
        case .timeRunsBackwards(let pointer, let former):
            let detail = "lies before \(former.milliseconds) ms, the time of the event before it"
            self.init(.timeRunsBackwards, at: pointer, detail)
        case .timeInTheFuture(let pointer, let now):
            let detail = "lies after now, which is \(now.milliseconds) ms on the session's clock"
            self.init(.timeInTheFuture, at: pointer, detail)
        case .invalid(let error): self.init(error)
        case .rateLimited(let cost, let limit, let left): self.init(cost, limit, left)
        case .tooExpensive(let cost, let limit):
            self.init(.tooExpensive, "The request costs \(cost) units, and a session may cost \(limit) at once.")
        case .tooManyCardBytes(let limit):
            self.init(.tooManyCardBytes, "The cards of a session may have \(limit) bytes.")
        case .overloaded: self.init(.overloaded, "Too much work waits for a thread.")
        case .contended:
            self.init(.overloaded, "Other requests changed the session each time this one was tried.")
        case .notRecorded, .momentPassed, .momentToCome, .logEnded, .logForgotten, .tooManyReplays:
            self.init(ofMoment: error)
        }
    }

    /// The problem for a past moment that cannot be shown.
    private init(ofMoment error: HostError) {
        switch error {
        case .notRecorded:
            let detail = "The parameter at is for manual clocks and for sessions that record; this one is neither."
            self.init(.malformedQuery, detail)
        case .momentPassed(let last):
            let detail = "The moment lies before \(last.milliseconds) ms, the last event's time."
            self.init(.timeRunsBackwards, detail)
        case .tooManyReplays:
            self.init(.tooManyReplays, "As many logs are being played as may be at a time, in all or of the session.")
        case .logEnded:
            self.init(.notFound, "The session's log ended before that moment, because it was full.")
        case .logForgotten:
            self.init(.notFound, "The session's log has lost these lines, because they were too old.")
        default:
            self.init(.timeInTheFuture, "The moment lies after now, and the session's clock runs by itself.")
        }
    }

    private init(_ kind: ProblemKind, at pointer: String, _ detail: String) {
        self.init(kind, "\(pointer) \(detail).")
        issue = WireIssue(pointer: pointer, detail: detail)
    }

    /// The problem for a session whose version is not the expected one. The document has the current frame.
    private init(_ current: CurrentSession) {
        self.init(.preconditionFailed, "The session's version is \(current.session.version) now.")
        var writer = JSONWriter(capacity: 2048)
        FrameWriter(session: current.id).write(current.session, at: current.time, to: &writer)
        frame = String(decoding: writer.bytes, as: UTF8.self)
    }

    private init(_ cost: Int, _ limit: CostLimit, _ left: TokenBucket.Left) {
        let detail = """
            The request costs \(cost) units; \(left.units) are left, and \(limit.perSecond) are added each second.
            """
        self.init(.rateLimited, detail)
        headers.add("Retry-After", "\(left.seconds)")
    }
}

extension Result where Failure == HostError {
    /// The value. If there is none, a problem is thrown.
    func found() throws(Problem) -> Success {
        switch self {
        case .success(let value): return value
        case .failure(let error): throw Problem(error)
        }
    }
}
