public import DeckEngine
internal import DeckJournal
internal import DeckWire

/// Computes the past states of a recorded session by replaying its log.
public final class PastReader: Sendable {
    /// A session as it was.
    public struct PastState: Sendable {
        /// After the last event up to the moment.
        public var state: HostedSession.State
        /// How many lines of the log had been written.
        public var lineCount: Int
    }

    private let journal: SessionJournal
    /// A long log takes long to replay. It is replayed in slices, and sessions take turns.
    private let pool: WorkPool
    private let prices: Prices
    private let running = RunningReplays()

    /// A reader of the logs that a journal has.
    init(journal: SessionJournal, pool: WorkPool, prices: Prices) {
        self.journal = journal
        self.prices = prices
        self.pool = pool
    }

    /// Whether a moment is before the last event, so that the log must be replayed.
    ///
    /// - Throws: an error if there is no log, or if the moment is in the future on a clock that runs by itself.
    public func isPast(_ time: Instant, in committed: SessionTable.CommittedSession) throws(HostError) -> Bool {
        let (session, state) = (committed.session, committed.state)
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
    ///   - payment: pays for the replay.
    ///   - completion: gets the past states in the order of the moments.
    public func read(
        of session: HostedSession,
        _ state: HostedSession.State,
        at times: [Instant],
        paying payment: Payment,
        _ completion: @escaping @Sendable (Result<[PastState], HostError>) -> Void
    ) {
        let id = session.identity.id
        guard let log = state.log, let first = times.first else { return completion(.success([])) }
        let leave: @Sendable () -> Void
        do throws(HostError) {
            try payment.take(prices.cost(ofMomentIn: state))
            leave = try running.enter(id, by: payment.payer, byteCount: log.byteCount)
        } catch {
            return completion(.failure(error))
        }
        let finish: @Sendable (Result<[PastState], HostError>) -> Void = { states in
            leave()
            completion(states)
        }
        let recorded = RecordedLog(of: id, log, in: journal)
        let replay = PastReplay(of: id, recorded, at: times, prices, payment, paid: prices.cost(ofMomentIn: state))
        recorded.start(before: first) { [self] start in
            run(replay, finish) { [self] () throws(HostError) in
                try replay.begin(from: start.get())
                play(replay, finish)
            }
        }
    }

    /// Plays one slice after another, and reads lines in between.
    private func play(
        _ replay: PastReplay,
        _ completion: @escaping @Sendable (Result<[PastState], HostError>) -> Void
    ) {
        run(replay, completion) { [self] () throws(HostError) in
            switch try replay.playSlice() {
            case .interrupted: play(replay, completion)
            case .done(let states): completion(.success(states))
            case .needs(let range):
                replay.log.lines(range) { [self] lines in
                    run(replay, completion) { [self] () throws(HostError) in
                        try replay.add(lines.get())
                        play(replay, completion)
                    }
                }
            }
        }
    }

    /// Does a step of a replay on the pool.
    private func run(
        _ replay: PastReplay,
        _ completion: @escaping @Sendable (Result<[PastState], HostError>) -> Void,
        _ step: @escaping @Sendable () throws(HostError) -> Void
    ) {
        pool.run(in: replay.id, orElse: { completion(.failure($0)) }) {
            do throws(HostError) { try step() } catch { completion(.failure(error)) }
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
        case done([PastReader.PastState])
    }

    /// The session's id.
    let id: String
    let log: RecordedLog
    private let times: [Instant]
    private let prices: Prices
    private let payment: Payment
    private var session: LoggedSession
    /// The lines that were read and not played yet.
    private var page: ArraySlice<[UInt8]> = []
    private var states: [PastReader.PastState] = []
    private var firstLine = 0
    private var readByteCount = 0
    /// The units that were paid so far.
    private var paid: Int

    /// What it has cost so far.
    private var cost: Int {
        1 + (session.line - firstLine) / prices.linesPerUnit + prices.cost(ofBytes: readByteCount) + session.cost
    }

    init(
        of id: String,
        _ log: RecordedLog,
        at times: [Instant],
        _ prices: Prices,
        _ payment: Payment,
        paid: Int
    ) {
        self.id = id
        self.log = log
        self.times = times
        self.prices = prices
        self.payment = payment
        self.paid = paid
        session = LoggedSession(prices)
    }

    /// Pays for what was done since the last payment.
    private func pay() throws(HostError) {
        let due = cost - paid
        guard due > 0 else { return }
        paid += due
        try payment.charge(due)
    }

    /// Begins from a checkpoint or at the log's beginning.
    func begin(from start: RecordedLog.Start) throws(HostError) {
        firstLine = start.line
        readByteCount += start.readByteCount
        try pay()
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
    func add(_ lines: [[UInt8]]) throws(HostError) {
        page = lines[...]
        readByteCount += LogSize(of: lines).byteCount
        try pay()
    }

    /// Plays on for a while.
    func playSlice() throws(HostError) -> Progress {
        let deadline = ContinuousClock.now + Self.sliceDuration
        while states.count < times.count {
            while let line = page.first, try play(line, until: times[states.count]) {
                page.removeFirst()
                guard .now >= deadline else { continue }
                try pay()
                return .interrupted
            }
            guard !page.isEmpty || session.line == log.lineCount else {
                return .needs(session.line..<min(session.line + Self.pageLength, log.lineCount))
            }
            guard let state = session.state, !log.isCut || session.line < log.lineCount else { throw .logEnded }
            // The log of a copy can begin with a checkpoint. It has no earlier moments.
            guard state.session.now <= times[states.count] else { throw .logForgotten }
            states.append(PastReader.PastState(state: state, lineCount: session.line))
        }
        try pay()
        return .done(states)
    }

    private func play(_ line: [UInt8], until time: Instant) throws(HostError) -> Bool {
        do throws(ReplayError) {
            return try session.play(line, until: time)
        } catch {
            throw .unreadable(error)
        }
    }
}
