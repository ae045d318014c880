internal import DeckEngine
internal import DeckWire

/// A session as its log makes it again, as far as that has been played.
struct LoggedSession {
    /// The id that the log begins with.
    private(set) var id = ""
    /// The session; nil: no line was played yet.
    private(set) var state: HostedSession.State?
    /// The deck that was read last.
    private var lastDeck: DeckDocument?
    /// How many lines were played, or left out before the checkpoint that the session began from.
    private(set) var line = 0
    /// What playing the lines has cost.
    private(set) var cost = 0
    private let prices: Prices

    private static let headNames: [StaticString] = [
        "session", "viewport", "screen", "startIndex", "appear", "numbers", "deck",
    ]
    private static let entryNames: [StaticString] = ["at", "event", "patch", "deck", "numbers", "checkpoint"]

    /// A session before the first line of its log.
    init(_ prices: Prices = Prices()) {
        self.prices = prices
    }

    /// Begins from a checkpoint, as if the lines up to it had been played.
    ///
    /// - Parameters:
    ///   - line: the checkpoint's line.
    ///   - cards: the session's cards; nil: the checkpoint has them.
    mutating func begin(at line: Int, _ text: [UInt8], cards: [UInt8]?) throws(ReplayError) {
        self.line = line
        try read(text) { value throws(WireError) in try begin(from: value, cards: cards) }
        self.line = line + 1
    }

    /// The cards that a line has: those of a checkpoint, or of the deck in the first line.
    static func cards(in text: [UInt8], ofLine line: Int) throws(ReplayError) -> [UInt8]? {
        var session = LoggedSession()
        if line > 0 { try session.begin(at: line, text, cards: nil) } else { _ = try session.play(text) }
        return session.state?.session.cardsSnapshot()
    }

    /// Plays one line, without its line feed.
    ///
    /// - Parameter limit: the time up to which lines are played; nil: all are.
    /// - Returns: whether the line was played; false if its time is after the limit.
    /// - Throws: the first mistake in the line. Later lines cannot be played.
    mutating func play(_ text: [UInt8], until limit: Instant? = nil) throws(ReplayError) -> Bool {
        let isPlayed = try read(text) { value throws(WireError) in
            guard state != nil else {
                try begin(value)
                return true
            }
            return try apply(value, until: limit)
        }
        if isPlayed { line += 1 }
        return isPlayed
    }

    private func read<Value>(
        _ text: [UInt8],
        _ body: (JSONValue) throws(WireError) -> Value
    ) throws(ReplayError) -> Value {
        do throws(WireError) {
            return try JSONParser.read(text, depth: SessionLog.lineDepth, body)
        } catch {
            throw ReplayError(line: line + 1, error)
        }
    }

    private mutating func begin(_ value: JSONValue) throws(WireError) {
        guard value.peek("checkpoint") == nil else { return try begin(from: value, cards: nil) }
        let object = try value.object(allowing: Self.headNames)
        let document = try DeckDocument(try object.required("deck"))
        id = try object.required("session").string(maxBytes: WireLimits.idBytes)
        let (session, notifications) = DeckSession.begin(
            deck: document.deck,
            viewport: try object.required("viewport").size(),
            screen: try object["screen"]?.size(),
            startIndex: try object.required("startIndex").integer(in: WireLimits.indices),
            appears: try object.required("appear").bool(),
            above: try object["numbers"]?.sessionNumbers() ?? SessionNumbers()
        )
        lastDeck = document
        state = HostedSession.State(session: session, preset: document.preset)
        state?.notifications.append(notifications)
        cost += prices.cost(ofReading: session.cards)
    }

    private mutating func begin(from value: JSONValue, cards: [UInt8]?) throws(WireError) {
        let member = try value.object(allowing: Self.entryNames).required("checkpoint")
        let checkpoint = try LogCheckpoint(member)
        do throws(SnapshotError) {
            let state = try checkpoint.state(cards: cards)
            self.state = state
            cost += prices.cost(ofReading: state.session.cards)
        } catch {
            throw member.malformed("cannot be read: \(error.reason)")
        }
    }

    /// Continues from the session as another process had it.
    private mutating func proceed(from member: JSONValue) throws(WireError) {
        let checkpoint = try LogCheckpoint(member)
        guard let former = state?.session else { throw member.malformed("has no cards, and no line before it has any") }
        do throws(SnapshotError) {
            state = try checkpoint.state(withCardsOf: former)
        } catch {
            throw member.malformed("cannot be read: \(error.reason)")
        }
    }

    private mutating func apply(_ value: JSONValue, until limit: Instant?) throws(WireError) -> Bool {
        let object = try value.object(allowing: Self.entryNames)
        let time = Instant(try object.required("at").number(in: EventLimits.moments))
        if let limit, time > limit { return false }
        if let checkpoint = object["checkpoint"] {
            // The lines before one with cards have led to the same session.
            if checkpoint.peek("cards") == nil { try proceed(from: checkpoint) }
            return true
        }
        if let patch = object["patch"] {
            try apply(patch: patch, at: time, object.value)
            return true
        }
        if let numbers = try object["numbers"]?.sessionNumbers() {
            raise(to: numbers, at: time)
            return true
        }
        let request = try EventRequest(try object.required("event"))
        let document = try object["deck"].map { deck throws(WireError) in try self.deck(deck) }
        if request.action == .reload, let document { state?.preset = document.preset }
        guard let (event, cost) = event(for: request, rereading: document) else { return false }
        self.cost += cost
        try apply(event, onlyOn: request.id, at: time, object.value)
        return true
    }

    /// Raises the numbers of the session as it was at a time.
    private mutating func raise(to numbers: SessionNumbers, at time: Instant) {
        guard let passed = state?.session.advance(to: time) else { return }
        state?.notifications.append(passed)
        _ = state?.raiseNumbers(to: numbers)
    }

    /// What the engine must do, and the cost of that in addition to the cost of a line.
    private func event(for request: EventRequest, rereading document: DeckDocument?) -> (event: Event, cost: Int)? {
        // A copy of the session would take longer than most events.
        guard let session = state?.shared else { return nil }
        let cost = prices.cost(of: [request], rereading: document) { session.read { Prices.SessionSize(of: $0) } }
        return (request.engineEvent(rereading: document?.deck ?? session.read { $0.deck }), cost - 1)
    }

    /// A deck, or the word for the same deck as before.
    private mutating func deck(_ value: JSONValue) throws(WireError) -> DeckDocument {
        if value.kind == .string, try value.string(maxBytes: WireLimits.idBytes) == SessionLog.sameDeck, let lastDeck {
            return lastDeck
        }
        let document = try DeckDocument(value)
        lastDeck = document
        return document
    }

    private mutating func apply(patch: JSONValue, at time: Instant, _ line: JSONValue) throws(WireError) {
        guard let state else { return }
        for event in try SessionPatch(patch, over: state.session.settings, preset: state.preset).events {
            try apply(event, at: time, line)
        }
    }

    private mutating func apply(
        _ event: Event,
        onlyOn id: CardID? = nil,
        at time: Instant,
        _ line: JSONValue
    ) throws(WireError) {
        do throws(SessionError) {
            guard let outcome = try state?.session.apply(event, onlyOn: id, at: time) else { return }
            state?.notifications.append(outcome.notifications)
        } catch {
            throw line.outOfRange("is before the previous line")
        }
    }
}

extension JSONValue {
    fileprivate func sessionNumbers() throws(WireError) -> SessionNumbers {
        let object = try object(allowing: ["version", "notification", "verdict"])
        return SessionNumbers(
            version: try object.required("version").integer(in: 0...Int.max),
            notification: try object.required("notification").integer(in: 0...Int.max),
            verdict: try object.required("verdict").integer(in: 0...Int.max)
        )
    }
}
