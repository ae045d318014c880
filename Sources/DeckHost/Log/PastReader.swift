public import DeckEngine
public import DeckJournal
internal import DeckWire
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

    /// The maximum number of replays at a time, in all and of one session. Each holds a whole log in memory.
    private static let most = 64
    private static let mostOfSession = 4

    private let journal: SessionJournal
    /// A long log takes long to replay. It is replayed in slices, and sessions take turns.
    private let pool: WorkPool
    private let underWay = Lock(Replays())

    /// The replays that go on.
    private struct Replays: Sendable {
        var count = 0
        var countsBySession: [String: Int] = [:]
    }

    /// A reader of the logs that a journal has.
    init(journal: SessionJournal, pool: WorkPool) {
        self.journal = journal
        self.pool = pool
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
        let id = session.identity.id
        guard begin(id) else { return body(.failure(.tooManyReplays)) }
        let finish: @Sendable (Result<Past, HostError>) -> Void = { [self] past in
            end(id)
            body(past)
        }
        journal.lines(of: id, 0..<log.keptCount) { [self] result in
            do throws(HostError) {
                let lines = try result.get() + log.waitingLines
                try play(PastReplay(of: id, lines, isCut: log.isFull, at: times), finish)
            } catch {
                finish(.failure(error))
            }
        }
    }

    /// Plays one slice after another.
    private func play(
        _ replay: PastReplay,
        _ body: @escaping @Sendable (Result<Past, HostError>) -> Void
    ) throws(HostError) {
        try pool.submit(to: replay.id) { [self] in
            do throws(HostError) {
                if let past = try replay.playSlice() { body(.success(past)) } else { try play(replay, body) }
            } catch {
                body(.failure(error))
            }
        }
    }

    /// Counts one more replay. Returns whether there may be one more.
    private func begin(_ id: String) -> Bool {
        underWay.withLock { replays in
            let ofSession = replays.countsBySession[id, default: 0]
            guard replays.count < Self.most, ofSession < Self.mostOfSession else { return false }
            replays.count += 1
            replays.countsBySession[id] = ofSession + 1
            return true
        }
    }

    /// Counts one replay less.
    private func end(_ id: String) {
        underWay.withLock { replays in
            replays.count -= 1
            let left = replays.countsBySession[id, default: 0] - 1
            replays.countsBySession[id] = left > 0 ? left : nil
        }
    }
}

/// A replay that goes on.
///
/// Unchecked because it is used by one job of the pool at a time: each begins after the one before has ended.
private final class PastReplay: @unchecked Sendable {
    /// How long a slice takes.
    private static let sliceDuration = Duration.milliseconds(5)

    /// The session's id.
    let id: String
    private let lines: [[UInt8]]
    private let isCut: Bool
    private let times: [Instant]
    private var session = LoggedSession()
    private var moments: [PastReader.Moment] = []

    init(of id: String, _ lines: [[UInt8]], isCut: Bool, at times: [Instant]) {
        self.id = id
        self.lines = lines
        self.isCut = isCut
        self.times = times
    }

    /// Plays on for a while. Returns the past states when all of them are found.
    func playSlice() throws(HostError) -> PastReader.Past? {
        let deadline = ContinuousClock.now + Self.sliceDuration
        while moments.count < times.count {
            guard try play(until: times[moments.count], before: deadline) else { return nil }
            guard let state = session.state, !isCut || session.line < lines.count else { throw .logEnded }
            moments.append(PastReader.Moment(state: state, verdicts: session.verdicts, lineCount: session.line))
        }
        return PastReader.Past(moments: moments, lines: lines)
    }

    /// Plays the lines up to a moment. Returns false if time has run out before.
    private func play(until time: Instant, before deadline: ContinuousClock.Instant) throws(HostError) -> Bool {
        do throws(ReplayError) {
            while session.line < lines.count, try session.play(lines[session.line], until: time) {
                if .now >= deadline { return false }
            }
            return true
        } catch {
            throw .unreadable("The session's log cannot be read: \(error).")
        }
    }
}
