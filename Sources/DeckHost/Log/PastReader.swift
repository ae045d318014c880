public import DeckEngine
internal import DeckJournal
internal import DeckWire
internal import Locking

/// Computes the past states of a recorded session by replaying its log.
public final class PastReader: Sendable {
    /// A session as it was.
    public struct Moment: Sendable {
        /// After the last event up to the moment.
        public var state: HostedSession.State
        /// How many lines of the log had been written.
        public var lineCount: Int
    }

    /// The maximum number of replays at a time, in all and of one session.
    private static let most = 64
    private static let mostOfSession = 4

    private let journal: SessionJournal
    /// A long log takes long to replay. It is replayed in slices, and sessions take turns.
    private let pool: WorkPool
    private let prices: Prices
    private let underWay = Lock(Replays())

    /// The running replays.
    private struct Replays: Sendable {
        var count = 0
        var countsBySession: [String: Int] = [:]
    }

    /// A reader of the logs that a journal has.
    init(journal: SessionJournal, pool: WorkPool, prices: Prices) {
        self.journal = journal
        self.prices = prices
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
    ///
    /// - Parameters:
    ///   - payer: who pays the cost beyond `Prices.cost(ofMomentIn:)`.
    ///   - body: gets the past states in the order of the moments.
    public func read(
        of session: HostedSession,
        _ state: HostedSession.State,
        at times: [Instant],
        for payer: Payer,
        _ body: @escaping @Sendable (Result<[Moment], HostError>) -> Void
    ) {
        let id = session.identity.id
        guard let log = state.log, let first = times.first else { return body(.success([])) }
        guard begin(id) else { return body(.failure(.tooManyReplays)) }
        let replay = PastReplay(of: id, RecordedLog(of: id, log, in: journal), at: times, prices)
        let finish: @Sendable (Result<[Moment], HostError>) -> Void = { [self] moments in
            end(id)
            session.account.charge(replay.cost - prices.cost(ofMomentIn: state), to: payer)
            body(moments)
        }
        replay.log.start(before: first) { [self] start in
            run(replay, finish) { [self] () throws(HostError) in
                try replay.begin(from: start.get())
                play(replay, finish)
            }
        }
    }

    /// Plays one slice after another, and reads lines in between.
    private func play(_ replay: PastReplay, _ body: @escaping @Sendable (Result<[Moment], HostError>) -> Void) {
        run(replay, body) { [self] () throws(HostError) in
            switch try replay.playSlice() {
            case .interrupted: play(replay, body)
            case .done(let moments): body(.success(moments))
            case .needs(let range):
                replay.log.lines(range) { [self] lines in
                    run(replay, body) { [self] () throws(HostError) in
                        replay.add(try lines.get())
                        play(replay, body)
                    }
                }
            }
        }
    }

    /// Does a step of a replay on the pool.
    private func run(
        _ replay: PastReplay,
        _ body: @escaping @Sendable (Result<[Moment], HostError>) -> Void,
        _ step: @escaping @Sendable () throws(HostError) -> Void
    ) {
        do throws(HostError) {
            try pool.submit(to: replay.id) {
                do throws(HostError) { try step() } catch { body(.failure(error)) }
            }
        } catch {
            body(.failure(error))
        }
    }

    /// Counts one more replay. Returns whether the limit allows it.
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

/// A running replay.
///
/// Unchecked because it is used by one job of the pool at a time: each begins after the one before has ended.
private final class PastReplay: @unchecked Sendable {
    /// How long a slice takes.
    private static let sliceDuration = Duration.milliseconds(5)
    /// How many lines are read together.
    private static let pageLength = LogCheckpoint.interval

    enum Progress {
        /// The slice's time is over.
        case interrupted
        /// It continues with these lines.
        case needs(Range<Int>)
        case done([PastReader.Moment])
    }

    /// The session's id.
    let id: String
    let log: RecordedLog
    private let times: [Instant]
    private let prices: Prices
    private var session: LoggedSession
    /// The lines that were read and not played yet.
    private var page: ArraySlice<[UInt8]> = []
    private var moments: [PastReader.Moment] = []
    private var firstLine = 0

    /// What it has cost so far.
    var cost: Int {
        1 + (session.line - firstLine) / prices.linesPerUnit + session.cost
    }

    init(of id: String, _ log: RecordedLog, at times: [Instant], _ prices: Prices) {
        self.id = id
        self.log = log
        self.times = times
        self.prices = prices
        session = LoggedSession(prices)
    }

    /// Begins from a checkpoint or at the log's beginning.
    func begin(from start: RecordedLog.Start) throws(HostError) {
        firstLine = start.line
        guard let checkpoint = start.checkpoint else { return }
        do throws(ReplayError) {
            var cards: [UInt8]?
            if let (line, text) = start.cards { cards = try LoggedSession.cards(in: text, ofLine: line) }
            try session.begin(at: start.line, checkpoint, cards: cards)
        } catch {
            throw .unreadable(error)
        }
    }

    /// Adds the lines that were needed.
    func add(_ lines: [[UInt8]]) {
        page = lines[...]
    }

    /// Plays on for a while.
    func playSlice() throws(HostError) -> Progress {
        let deadline = ContinuousClock.now + Self.sliceDuration
        while moments.count < times.count {
            while let line = page.first, try play(line, until: times[moments.count]) {
                page.removeFirst()
                if .now >= deadline { return .interrupted }
            }
            guard !page.isEmpty || session.line == log.lineCount else {
                return .needs(session.line..<min(session.line + Self.pageLength, log.lineCount))
            }
            guard let state = session.state, !log.isCut || session.line < log.lineCount else { throw .logEnded }
            // The log of a copy can begin with a checkpoint. It has no earlier moments.
            guard state.session.now <= times[moments.count] else { throw .logForgotten }
            moments.append(PastReader.Moment(state: state, lineCount: session.line))
        }
        return .done(moments)
    }

    private func play(_ line: [UInt8], until time: Instant) throws(HostError) -> Bool {
        do throws(ReplayError) {
            return try session.play(line, until: time)
        } catch {
            throw .unreadable(error)
        }
    }
}
