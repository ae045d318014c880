internal import DeckEngine
internal import DeckJournal
internal import DeckWire

/// A session as its log makes it again, as far as that has been played.
struct LoggedSession {
    private let parser = JSONParser()
    /// The id that the log begins with.
    private(set) var id = ""
    /// The session; nil: no line was played yet.
    private(set) var state: HostedSession.State?
    /// The verdicts that stand.
    private(set) var verdicts: [VerdictRecord] = []
    /// The deck that was read last.
    private var lastDeck: DeckDocument?
    /// How many lines were played.
    private(set) var line = 0

    private static let headNames: [StaticString] = [
        "session", "viewport", "screen", "startIndex", "appear", "deck",
    ]
    private static let entryNames: [StaticString] = ["at", "event", "patch", "deck", "numbers"]

    /// Plays one line, without its line feed.
    ///
    /// - Parameter limit: the time up to which lines are played; nil: all are.
    /// - Returns: whether the line was played; false if its time is after the limit.
    /// - Throws: what is wrong with the line. There is nothing to play after it.
    mutating func play(_ text: [UInt8], until limit: Instant? = nil) throws(ReplayError) -> Bool {
        let parser = parser
        do throws(WireError) {
            let isPlayed = try parser.read(text) { value throws(WireError) in
                guard state != nil else {
                    try begin(value)
                    return true
                }
                return try apply(value, until: limit)
            }
            if isPlayed { line += 1 }
            return isPlayed
        } catch {
            let issue = error.issue
            let place = issue.pointer.isEmpty ? "the line" : issue.pointer
            throw ReplayError(line: line + 1, reason: "\(place) \(issue.detail)")
        }
    }

    private mutating func begin(_ value: JSONValue) throws(WireError) {
        let object = try value.object(allowing: Self.headNames)
        let document = try DeckDocument(try object.required("deck"))
        id = try object.required("session").string(maxBytes: WireLimits.idBytes)
        let (session, notifications) = DeckSession.begin(
            deck: document.deck,
            viewport: try object.required("viewport").size(),
            screen: try object["screen"]?.size(),
            startIndex: try object.required("startIndex").integer(in: WireLimits.indices),
            appears: try object.required("appear").bool()
        )
        lastDeck = document
        state = HostedSession.State(session: session, preset: document.preset)
        state?.notifications.append(notifications)
    }

    private mutating func apply(_ value: JSONValue, until limit: Instant?) throws(WireError) -> Bool {
        let object = try value.object(allowing: Self.entryNames)
        let time = Instant(try object.required("at").number(in: WireLimits.moments))
        if let limit, time > limit { return false }
        if let patch = object["patch"] {
            try apply(patch: patch, at: time, object.value)
            return true
        }
        if let numbers = try object["numbers"]?.sessionNumbers() {
            state?.session.raiseNumbers(to: numbers)
            return true
        }
        let request = try EventRequest(try object.required("event"))
        let document = try object["deck"].map { deck throws(WireError) in try self.deck(deck) }
        if request.action == .reload, let document { state?.preset = document.preset }
        guard let session = state?.session else { return false }
        try apply(request.engineEvent(in: session, rereading: document), onlyOn: request.id, at: time, object.value)
        return true
    }

    /// A deck as it is written, or the word for the one before it.
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
        onlyOn id: String? = nil,
        at time: Instant,
        _ line: JSONValue
    ) throws(WireError) {
        do throws(SessionError) {
            guard let outcome = try state?.session.apply(event, onlyOn: id, at: time) else { return }
            state?.notifications.append(outcome.notifications)
            for change in outcome.verdictChanges { verdicts.take(VerdictRecord(change)) }
        } catch {
            throw line.outOfRange("lies before the line before it")
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
