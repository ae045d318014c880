public import DeckEngine
internal import DeckJournal
public import DeckWire

/// What requests cost, in the unit of ``CostLimit``.
///
/// A request costs at least one unit. Divisions by the numbers below drop the remainder, so that small work costs nothing
/// more.
public struct Prices: Sendable, Equatable {
    /// Cards per unit of an event that rearranges cards: that inserts, removes or shuffles cards, or sends one to the back. Also
    /// cards per unit of a client snapshot.
    public var cardsPerUnit = 256
    /// Cards per unit of an event or a copy that compares or copies cards.
    public var comparedCardsPerUnit = 64
    /// Bytes per unit that are received, sent or stored.
    public var bytesPerUnit = 16_384
    /// Lines per unit of a log that is replayed or copied.
    public var linesPerUnit = 16
    /// The cost of a `PATCH` of a session in units, in addition to that of its frame.
    public var patch = 3
    /// The cost of a picture in units, in addition to that of its frame.
    public var picture = 4
    /// The cost of the start of a stream in units.
    public var stream = 10
    /// The cost of a copy of a session in units, in addition to that of its cards, its verdicts, its log and its bytes.
    public var fork = 50

    /// Verdicts of a session per unit that are read.
    private static let verdictsPerUnit = 8
    /// Swipes, reverts and other steps of queued commands per unit that are applied in advance.
    private static let queuedStepsPerUnit = 16

    /// Work that costs more is done by the pool and not by an event loop.
    public static let mostInLoop = 32

    /// What the cost of events depends on.
    public struct SessionSize: Sendable {
        /// How many cards the session has.
        fileprivate var cards: Int
        /// How many of its queued commands rearrange cards.
        fileprivate var queuedRearrangements: Int
        /// How many commands are queued.
        private var queuedCommands: Int
        /// How many changes they make.
        fileprivate private(set) var queuedSteps: Int
        /// Whether commands can be queued.
        private var queues: Bool
        private let list: CardList
        /// The bytes of its cards.
        fileprivate var bytes: Int { list.contentByteCount }

        /// The size of a session.
        public init(of session: DeckSession) {
            cards = session.cards.count
            queuedRearrangements = session.queuedRearrangementCount
            queuedCommands = session.queuedCount
            queuedSteps = session.queuedStepCount
            queues = session.settings.rules.queuesCommands
            list = session.cards
        }

        /// Takes note of a command that may be queued.
        fileprivate mutating func add(_ command: Command) {
            guard queues, queuedCommands < EngineLimits.queuedCommands,
                queuedSteps + command.stepCount <= EngineLimits.queuedSteps
            else { return }
            queuedCommands += 1
            queuedSteps += command.stepCount
        }

        /// Takes note of a deck that may replace the session's.
        fileprivate mutating func add(_ document: DeckDocument) {
            cards = max(cards, document.deck.cards.count)
            queues = queues || document.deck.settings.rules.queuesCommands
        }
    }

    /// The default prices.
    public init() {}

    /// The cost of bytes that are received or sent.
    public func cost(ofBytes count: Int) -> Int {
        count / bytesPerUnit
    }

    /// The cost of verdicts that are read together.
    public func cost(ofVerdicts count: Int) -> Int {
        count / Self.verdictsPerUnit
    }

    /// The cost of a page of verdicts that a copy of a session reads.
    func cost(of page: StandingPage) -> Int {
        cost(ofVerdicts: page.verdicts.count) + (page.next == nil ? 0 : 1)
    }

    /// The cost of a frame. Queued commands are applied to a copy of the session each time.
    public func cost(ofFrameOf session: DeckSession) -> Int {
        1 + costOfQueue(of: session)
    }

    /// The cost of a client snapshot, in addition to that of a frame.
    public func cost(ofClientSnapshotOf session: DeckSession) -> Int {
        session.clientSnapshotCardCount / cardsPerUnit
    }

    /// The cost of applying the queued commands of a session to a copy once.
    private func costOfQueue(of size: SessionSize) -> Int {
        costOfQueue(rearrangements: size.queuedRearrangements, steps: size.queuedSteps, cards: size.cards)
    }

    private func costOfQueue(of session: DeckSession) -> Int {
        costOfQueue(
            rearrangements: session.queuedRearrangementCount,
            steps: session.queuedStepCount,
            cards: session.cards.count
        )
    }

    private func costOfQueue(rearrangements: Int, steps: Int, cards: Int) -> Int {
        rearrangements * cards / cardsPerUnit + steps / Self.queuedStepsPerUnit
    }

    /// The cost of a single drag or scroll that was refused, beside one unit: queued commands were applied to a copy, and are still
    /// queued. An accepted one empties the queue.
    public func costOfQueue(triedBy requests: [EventRequest], in outcome: OperationOutcome) -> Int {
        guard requests.count == 1, outcome.outcomes.first?.isApplied == false else { return 0 }
        switch requests[0].action {
        case .event(.drag), .event(.scroll): return outcome.withSession { costOfQueue(of: $0) }
        default: return 0
        }
    }

    /// The part of the cost of a past moment that is known before its log is played.
    public func cost(ofMomentIn state: HostedSession.State) -> Int {
        1 + min(state.log?.lineCount ?? 0, LogCheckpoint.interval) / linesPerUnit
    }

    /// The cost of reading the cards from which a replay begins, in addition to the bytes of the log: as much as a reload.
    func cost(ofReading cards: CardList) -> Int {
        guard case .listed(let list) = cards else { return 0 }
        return list.count / comparedCardsPerUnit + cost(ofBytes: cards.contentByteCount)
    }

    /// The cost of a copy of a session, beside that of its verdicts.
    public func cost(ofForkOf state: HostedSession.State) -> Int {
        let cards = state.session.cards
        let (lines, bytes) = state.log.map { ($0.lineCount, $0.byteCount) } ?? (0, 0)
        return fork + cards.count / comparedCardsPerUnit + lines / linesPerUnit
            + cost(ofBytes: cards.contentByteCount + bytes)
    }

    /// The cost of events that are applied to a session in their order.
    ///
    /// - Parameters:
    ///   - document: the stored deck, for events that read it again; nil: the session's deck.
    ///   - measure: measures the session. It is not called if no cost depends on its size.
    public func cost(
        of requests: [EventRequest],
        rereading document: DeckDocument?,
        _ measure: () -> SessionSize
    ) -> Int {
        lazy var size = measure()
        lazy var documentByteCount = document?.deck.cards.contentByteCount
        var cost = 0
        for index in requests.indices {
            cost += 1
            // To know which card will be in front, queued commands are applied to a copy.
            if requests[index].id != nil { cost += costOfQueue(of: size) }
            switch requests[index].action {
            case .reload:
                if let document { size.add(document) }
                cost += size.cards / comparedCardsPerUnit
                // The cards are stored again.
                cost += self.cost(ofBytes: documentByteCount ?? size.bytes)
            case .refresh(let range):
                cost += min(range.count, size.cards) / comparedCardsPerUnit + size.cards / cardsPerUnit
                // The new cards are stored, and a log compares the whole deck with the one before.
                cost += self.cost(ofBytes: documentByteCount ?? 0)
            case .event(.insert(let new, _)):
                size.cards += new.count
                cost += size.cards / cardsPerUnit
            case .event(.remove), .event(.shuffle): cost += size.cards / cardsPerUnit
            case .event(.command(let command)):
                // A command that must be queued is tried on a copy first, after the commands that are queued already.
                if command.rearranges { size.queuedRearrangements += 1 }
                cost += costOfQueue(of: size) + command.stepCount - 1
                size.add(command)
            // The size of a session is not measured for a single drag. See `costOfQueue(triedBy:in:)`.
            case .event(.drag) where requests.count > 1, .event(.scroll) where requests.count > 1:
                cost += costOfQueue(of: size)
            case .event: break
            }
        }
        return cost
    }
}

extension CardList {
    /// Whether it takes long to go through the cards.
    public var isLarge: Bool {
        if case .listed(let cards) = self { cards.count > 1000 || contentByteCount > 256 << 10 } else { false }
    }
}

extension Rules {
    /// Whether commands are queued while the deck moves.
    fileprivate var queuesCommands: Bool { whileAnimating == .queue }
}
