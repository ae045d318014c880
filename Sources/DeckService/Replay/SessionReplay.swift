import DeckEngine
import DeckWire

/// Plays a session's log again, line by line, and writes the frames that were served.
public struct SessionReplay {
    private let parser = JSONParser()
    private var session: DeckSession?
    private var preset = Preset.standard
    private var writer = FrameWriter(session: "")
    private var line = 0

    /// A replay before its first line.
    public init() {}

    private static let headNames: [StaticString] = [
        "session", "viewport", "screen", "startIndex", "appear", "deck",
    ]
    private static let entryNames: [StaticString] = ["at", "event", "patch", "deck"]

    /// Plays one line, without its line feed.
    ///
    /// - Returns: the frame after it, as JSON.
    /// - Throws: what is wrong with the line.
    public mutating func play(_ text: [UInt8]) throws(ReplayError) -> [UInt8] {
        line += 1
        var played = self
        do throws(WireError) {
            try parser.read(text) { value throws(WireError) in
                if played.session == nil { try played.begin(value) } else { try played.apply(value) }
            }
        } catch {
            let issue = error.errors[0]
            throw ReplayError(
                line: line,
                reason: "\(issue.pointer.isEmpty ? "the line" : issue.pointer) \(issue.detail)"
            )
        }
        self = played
        var json = JSONWriter(capacity: 2048)
        if let session { writer.write(session, at: session.now, to: &json) }
        return json.bytes
    }

    private mutating func begin(_ value: JSONValue) throws(WireError) {
        let object = try value.object(allowing: Self.headNames)
        let document = try DeckDocument(try object.required("deck"))
        preset = document.preset
        writer = FrameWriter(session: try object.required("session").string(maxBytes: WireLimits.idBytes))
        session =
            DeckSession.begin(
                deck: document.deck,
                viewport: try object.required("viewport").size(),
                screen: try object["screen"]?.size(),
                startIndex: try object.required("startIndex").integer(in: 0...WireLimits.numberedCards),
                appears: try object.required("appear").bool()
            ).session
    }

    private mutating func apply(_ value: JSONValue) throws(WireError) {
        let object = try value.object(allowing: Self.entryNames)
        let time = Milliseconds(try object.required("at").number(in: WireLimits.moments))
        if let patch = object["patch"] { return try apply(patch: patch, at: time, object.value) }
        let request = try EventRequest(try object.required("event"))
        let document = try object["deck"].map { deck throws(WireError) in try DeckDocument(deck) }
        if request.action == .reload, let document { preset = document.preset }
        guard let session else { return }
        try apply(request.engineEvent(in: session, rereading: document), at: time, object.value)
    }

    private mutating func apply(patch: JSONValue, at time: Milliseconds, _ line: JSONValue) throws(WireError) {
        guard let session else { return }
        for event in try SessionPatch(patch, over: session.deck.settings, preset: preset).events {
            try apply(event, at: time, line)
        }
    }

    private mutating func apply(_ event: Event, at time: Milliseconds, _ line: JSONValue) throws(WireError) {
        do throws(SessionError) {
            _ = try session?.apply(event, at: time)
        } catch {
            throw line.outOfRange("lies before the line before it")
        }
    }
}

/// Why a log cannot be played.
public struct ReplayError: Error, Sendable, CustomStringConvertible {
    /// The line, counted from 1.
    public var line: Int
    /// What is wrong there.
    public var reason: String

    /// The line and the reason in one sentence.
    public var description: String { "line \(line): \(reason)" }
}

extension EventRequest {
    /// What the engine is to do.
    ///
    /// - Parameter document: the deck as it is read now, for events that read it; nil: as the session has it.
    func engineEvent(in session: DeckSession, rereading document: DeckDocument?) -> Event {
        switch action {
        case .event(let event): event
        case .reload: .reload(document?.deck ?? session.deck)
        case .refresh(let range): .refresh(range, from: document?.deck ?? session.deck)
        }
    }

    /// Whether the event reads the deck again.
    var readsTheDeck: Bool {
        switch action {
        case .event: false
        case .reload, .refresh: true
        }
    }
}

extension SessionPatch {
    /// What the engine is to do.
    var events: [Event] {
        var events: [Event] = []
        if let settings { events.append(.configure(settings)) }
        if let viewport { events.append(.resize(viewport: viewport, screen: screen)) }
        return events
    }
}
