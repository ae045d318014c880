public import DeckEngine
public import DeckJournal
internal import DeckWire
internal import Dispatch
internal import Locking

/// Computes the past states of a recorded session by replaying its log.
public final class PastReader: Sendable {
    /// A session as it was.
    public struct Moment: Sendable {
        /// After the last event up to the moment.
        public var state: HostedSession.State
        /// The verdicts that stood.
        public var verdicts: [VerdictRecord]
        /// How many lines of the log had been written.
        public var lineCount: Int
    }

    /// The past states of a session.
    public struct Past: Sendable {
        /// In the order of their times.
        public var moments: [Moment]
        /// The whole log, of which each moment has the first so many lines.
        public var lines: [[UInt8]]
    }

    /// The maximum number of replays at a time. Each holds a whole log in memory.
    private static let most = 16

    private let journal: SessionJournal
    /// A long log takes long to replay. One is replayed at a time, on a separate thread.
    private let queue = DispatchQueue(label: "deckd.past")
    private let underWay = Lock(0)

    /// A reader of the logs that a journal has.
    init(journal: SessionJournal) {
        self.journal = journal
    }

    /// Whether a moment is before the last event, so that the log must be replayed.
    ///
    /// - Throws: an error if there is no log, or if the moment is in the future on a clock that runs by itself.
    public func isPast(_ time: Instant, in sight: SessionTable.Sight) throws(HostError) -> Bool {
        let (session, state) = (sight.session, sight.state)
        let last = state.session.now
        if session.clock.kind == .manual, time >= last { return false }
        guard state.log != nil else {
            guard session.clock.kind == .manual else {
                throw .notRecorded
            }
            throw .momentPassed(last: last)
        }
        guard time <= session.now(of: state.session) else {
            throw .momentToCome
        }
        return time < last
    }

    /// Reads a session at moments that `isPast` has let pass, in order.
    public func read(
        of session: HostedSession,
        _ state: HostedSession.State,
        at times: [Instant],
        _ body: @escaping @Sendable (Result<Past, HostError>) -> Void
    ) {
        guard let log = state.log else { return body(.success(Past(moments: [], lines: []))) }
        let isTaken = underWay.withLock { count in
            guard count < Self.most else { return false }
            count += 1
            return true
        }
        guard isTaken else {
            return body(.failure(.tooManyReplays(limit: Self.most)))
        }
        journal.lines(of: session.identity.id, 0..<log.keptCount) { [queue, underWay] result in
            queue.async {
                let past = Result { () throws(HostError) in
                    let lines = try result.get() + log.waitingLines
                    return Past(moments: try Self.play(lines, isCut: log.isFull, at: times), lines: lines)
                }
                underWay.withLock { $0 -= 1 }
                body(past)
            }
        }
    }

    private static func play(_ lines: [[UInt8]], isCut: Bool, at times: [Instant]) throws(HostError) -> [Moment] {
        var session = LoggedSession()
        var moments: [Moment] = []
        for time in times {
            do throws(ReplayError) {
                while session.line < lines.count, try session.play(lines[session.line], until: time) {}
            } catch {
                throw .unreadable("The session's log cannot be read: \(error).")
            }
            guard let state = session.state, !isCut || session.line < lines.count else {
                throw .logEnded
            }
            moments.append(Moment(state: state, verdicts: session.verdicts, lineCount: session.line))
        }
        return moments
    }
}
