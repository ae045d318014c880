import DeckEngine
import DeckJournal
import DeckWire
import Dispatch
import Locking

/// Finds what a session that records was at moments that are past, by playing its log again.
final class PastReader: Sendable {
    /// A session as it was.
    struct Moment: Sendable {
        /// After the last event up to the moment.
        var state: HostedSession.State
        /// The verdicts that stood.
        var verdicts: [VerdictRecord]
        /// How many lines of the log had been written.
        var lineCount: Int
    }

    /// What was found of a session.
    struct Past: Sendable {
        var moments: [Moment]
        /// The whole log, of which each moment has the first so many lines.
        var lines: [[UInt8]]
    }

    /// How many may be waited for at a time; each holds a whole log in memory.
    private static let most = 16

    private let journal: any Journal
    /// A long log takes long to play. One is played at a time, on a thread that nothing else waits for.
    private let queue = DispatchQueue(label: "deckd.past")
    private let underWay = Lock(0)

    init(journal: any Journal) {
        self.journal = journal
    }

    /// Whether a moment lies before the last event, so that the log has to say what there was.
    ///
    /// - Throws: a problem if nobody knows, or the moment is still to come on a clock that runs by itself.
    func isPast(_ time: Instant, _ session: HostedSession, _ state: HostedSession.State) throws(Problem) -> Bool {
        let last = state.session.now
        if session.clock.kind == .manual, time >= last { return false }
        guard state.log != nil else {
            guard session.clock.kind == .manual else {
                let detail = "The parameter at is for manual clocks and for sessions that record; this one is neither."
                throw Problem(.malformedQuery, detail)
            }
            throw Problem(.timeRunsBackwards, "The moment lies before \(last.milliseconds) ms, the last event's time.")
        }
        guard time <= session.now(of: state.session) else {
            throw Problem(.timeInTheFuture, "The moment lies after now, and the session's clock runs by itself.")
        }
        return time < last
    }

    /// Reads a session at moments that `isPast` has let pass, in order.
    func read(
        of session: HostedSession,
        _ state: HostedSession.State,
        at times: [Instant],
        _ body: @escaping @Sendable (Result<Past, Problem>) -> Void
    ) {
        guard let log = state.log else { return body(.success(Past(moments: [], lines: []))) }
        let isTaken = underWay.withLock { count in
            guard count < Self.most else { return false }
            count += 1
            return true
        }
        guard isTaken else {
            let detail = "\(Self.most) logs are being played, and no more at a time."
            return body(.failure(Problem(.tooManyReplays, detail)))
        }
        journal.lines(of: session.identity.id, 0..<log.keptCount) { [queue, underWay] result in
            queue.async {
                let past = Result { () throws(Problem) in
                    let lines = try result.get() + log.waitingLines
                    return Past(moments: try Self.play(lines, isCut: log.isFull, at: times), lines: lines)
                }
                underWay.withLock { $0 -= 1 }
                body(past)
            }
        }
    }

    private static func play(_ lines: [[UInt8]], isCut: Bool, at times: [Instant]) throws(Problem) -> [Moment] {
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
