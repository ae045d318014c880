import DeckEngine
import DeckJournal
import DeckWire

/// Finds what a session that records was at moments that are past, by playing its log again.
struct PastReader: Sendable {
    /// A session as it was.
    struct Moment: Sendable {
        /// After the last event up to the moment.
        var state: HostedSession.State
        /// The verdicts that stood.
        var verdicts: [VerdictRecord]
        /// How many lines of the log had been written.
        var lineCount: Int
    }

    var journal: any Journal

    /// Whether a moment lies before the last event, so that the log has to say what there was.
    ///
    /// - Throws: a problem if nobody knows, or the moment is still to come on a clock that runs by itself.
    func isPast(_ time: Milliseconds, _ session: HostedSession, _ state: HostedSession.State) throws(Problem) -> Bool {
        let last = state.session.now
        if session.clock.kind == .manual, time >= last { return false }
        guard state.log != nil else {
            guard session.clock.kind == .manual else {
                let detail = "The parameter at is for manual clocks and for sessions that record; this one is neither."
                throw Problem(.malformedQuery, detail)
            }
            throw Problem(.timeRunsBackwards, "The moment lies before \(last.value) ms, the last event's time.")
        }
        guard time <= session.now(of: state.session) else {
            throw Problem(.malformedQuery, "The moment lies after now, and the session's clock runs by itself.")
        }
        return time < last
    }

    /// Reads a session at moments that `isPast` has let pass, in order.
    func read(
        of session: HostedSession,
        _ state: HostedSession.State,
        at times: [Milliseconds],
        _ body: @escaping @Sendable (Result<[Moment], Problem>) -> Void
    ) {
        let waiting = state.log?.waitingLines ?? []
        journal.log(of: session.identity.id, from: 0, limit: SessionLog.capacity) { result in
            // A long log takes long to play, and whose thread this is must not wait for it.
            Task {
                body(
                    Result { () throws(Problem) in
                        let lines = try result.found() + waiting
                        return try Self.play(lines, isCut: state.log?.isFull ?? false, at: times)
                    }
                )
            }
        }
    }

    private static func play(_ lines: [[UInt8]], isCut: Bool, at times: [Milliseconds]) throws(Problem) -> [Moment] {
        var session = LoggedSession()
        var moments: [Moment] = []
        for time in times {
            do throws(ReplayError) {
                while session.line < lines.count, try session.play(lines[session.line], until: time) {}
            } catch {
                throw Problem(.journalUnavailable, "What was kept of the session cannot be read: \(error).")
            }
            guard let state = session.state, !isCut || session.line < lines.count else {
                throw Problem(.notFound, "The session's log ended before that moment, because it was full.")
            }
            moments.append(Moment(state: state, verdicts: session.verdicts, lineCount: session.line))
        }
        return moments
    }
}
