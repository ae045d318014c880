internal import DeckEngine
internal import DeckJournal
public import DeckWire

/// The source of a session's time.
public struct SessionClock: Sendable {
    /// Whether the clock runs by itself.
    public let kind: ClockKind
    /// The time at which the session's clock was 0.
    var epoch: ContinuousClock.Instant

    /// The clock of a session. It also runs while the server does not.
    init(of identity: SessionIdentity) {
        kind = ClockKind.allCases.first { $0.name.description == identity.clock } ?? .server
        epoch = .now - .milliseconds(WallTime.now().milliseconds - identity.createdAt.milliseconds)
    }

    /// The time on a clock that runs by itself, rounded as answers write it.
    private var running: Instant {
        let elapsed = ContinuousClock.now - epoch
        let (seconds, attoseconds) = elapsed.components
        return Instant(Double(seconds) * 1000 + Double(attoseconds) / 1e15).roundedToNanoseconds
    }

    /// The time for reading a session whose last event was at `last`.
    func now(after last: Instant) -> Instant {
        switch kind {
        case .server: max(last, running)
        case .manual: last
        }
    }

    /// Checks the times of events.
    ///
    /// - Parameter last: the time of the session's last event.
    /// - Returns: the time of events without an own time.
    /// - Throws: the first impossible time.
    func check(timesOf requests: [EventRequest], after last: Instant) throws(HostError) -> Instant {
        let now = now(after: last)
        var former = last
        // A request is not copied if it is used by its index.
        for index in requests.indices {
            let at = requests[index].at
            guard at != nil || kind == .server else {
                let detail = "is missing: the session's clock is manual"
                throw .invalid(WireError(.malformed, at: "\(requests[index].pointer)/at", detail))
            }
            let time = at ?? now
            guard time >= former else {
                throw .timeRunsBackwards(pointer: "\(requests[index].pointer)/at", former: former)
            }
            guard kind == .manual || time <= now else {
                throw .timeInTheFuture(pointer: "\(requests[index].pointer)/at", now: now)
            }
            former = time
        }
        return now
    }
}
