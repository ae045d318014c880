internal import DeckEngine
public import DeckJournal
internal import DeckWire

/// The log of a session: lines of JSON that `SessionReplay` reads. The first line has the session's creation, or a checkpoint in
/// a copy of a session whose log has lost its first lines. Each other line has an event, a patch, the numbers that the session
/// continues above, or a checkpoint, with their time. Lines wait here until they are committed.
public struct SessionLog: Sendable {
    /// A log with this many lines or bytes gets no more lines. The log then says that later events are missing. Its last line can
    /// exceed the number of bytes.
    public static let capacity = LogSize(lineCount: 100_000, byteCount: 16 << 20)

    /// How deep the objects and arrays of a line may lie inside each other. A line contains a body as a member.
    static let lineDepth = JSONParser.bodyDepth + 1

    /// The lines that no entry has yet, without line feeds.
    private(set) var waitingLines: [[UInt8]] = []
    /// The part that entries have, the one in flight included.
    private var saved: LogSize
    /// The whole log.
    private var size: LogSize
    /// The deck of the last line that has one. Later lines with the same deck refer to it.
    private var lastDeck: DeckDocument?
    /// Whether the session has changes that no line has, because another process made them and has not committed them.
    private(set) var lacksChanges = false
    /// The last line with the session's cards, and their revision; nil: not known.
    private var lastCards: (line: Int, revision: Int)?

    private static let mostWaitingBytes = 256 << 10

    /// A log of which entries have this part.
    init(saved: LogSize = LogSize()) {
        self.saved = saved
        size = saved
    }

    /// A log with lines that no entry has yet.
    init(unsaved lines: [[UInt8]], lacksChanges: Bool = false) {
        waitingLines = lines
        saved = LogSize()
        size = LogSize(of: lines)
        self.lacksChanges = lacksChanges
    }

    /// Takes note of changes by another process, which has not committed them.
    mutating func lackChanges() {
        lacksChanges = true
    }

    /// How many of its lines entries have.
    var savedLineCount: Int {
        saved.lineCount
    }

    /// How many lines the log has.
    public var lineCount: Int {
        size.lineCount
    }

    /// How many bytes the log has.
    var byteCount: Int {
        size.byteCount
    }

    /// Whether enough bytes wait that they must be committed now.
    var isDueToBeSaved: Bool {
        size.byteCount - saved.byteCount >= Self.mostWaitingBytes
    }

    /// Whether there is no room for more lines.
    public var isFull: Bool {
        size.lineCount >= Self.capacity.lineCount || size.byteCount >= Self.capacity.byteCount
    }

    /// Whether the next line must be a checkpoint.
    var isDueForCheckpoint: Bool {
        lineCount > 0 && lineCount % LogCheckpoint.interval == 0 && !isFull
    }

    /// Takes the lines that no entry has yet, for the next one.
    mutating func take() -> [[UInt8]] {
        defer { (waitingLines, saved) = ([], size) }
        return waitingLines
    }

    /// Adds the creation of a session, which begins above some numbers.
    mutating func append(
        _ request: SessionRequest,
        _ document: DeckDocument,
        id: String,
        _ session: DeckSession,
        above numbers: SessionNumbers
    ) {
        append { writer in
            writer.member("session", id)
            writer.object("viewport") { $0.members(of: request.viewport) }
            if let screen = request.screen { writer.object("screen") { $0.members(of: screen) } }
            writer.member("startIndex", request.startIndex)
            writer.member("appear", request.appears)
            if numbers != SessionNumbers() { writer.object("numbers") { $0.members(of: numbers) } }
            writer.key("deck")
            writer.deck(document)
        }
        lastDeck = document
        lastCards = (0, session.cardsRevision)
    }

    /// Adds a checkpoint, unless its bytes would leave no room for events. The next event then takes this line. The first line of a log
    /// must be a checkpoint or the creation of its session.
    mutating func append(checkpointOf state: HostedSession.State) {
        guard !lacksChanges else { return append(changesUpTo: state) }
        let session = state.session
        let hasSameCards = lastCards?.revision == session.cardsRevision
        let cards = hasSameCards ? LogCheckpoint.Cards.inLine(lastCards?.line ?? 0) : .here(session.cardsSnapshot())
        let line = Self.line(of: state, cards)
        guard lineCount == 0 || size.byteCount + line.count < Self.capacity.byteCount else { return }
        if !hasSameCards { lastCards = (lineCount, session.cardsRevision) }
        append(line)
        // A reader that begins here has not read the last deck.
        lastDeck = nil
    }

    /// Adds a checkpoint that stands for the changes which the log lacks. None of them has changed the cards.
    private mutating func append(changesUpTo state: HostedSession.State) {
        lacksChanges = false
        if !isFull { append(Self.line(of: state, .unchanged)) }
    }

    private static func line(of state: HostedSession.State, _ cards: LogCheckpoint.Cards) -> [UInt8] {
        line { writer in
            writer.member("at", exactly: state.session.now.milliseconds)
            writer.key("checkpoint")
            LogCheckpoint(of: state, cards: cards).write(to: &writer)
        }
    }

    /// Adds an event.
    ///
    /// - Parameter deck: the deck that it read; nil: it read none.
    mutating func append(_ request: EventRequest, at time: Instant, deck: DeckDocument?) {
        guard let text = request.text else {
            return assertionFailure("The events of a session that records are read with their text.")
        }
        let isSame = deck?.isWritten(as: lastDeck) ?? true
        append { writer in
            writer.member("at", exactly: time.milliseconds)
            writer.member("event", raw: text)
            guard let deck else { return }
            writer.key("deck")
            if isSame { writer.string(Self.sameDeck) } else { writer.deck(deck) }
        }
        if let deck { lastDeck = deck }
    }

    /// The string that replaces a deck which is the same as the one before.
    static let sameDeck = "same"

    /// Adds a patch, given as compact JSON.
    mutating func append(patch text: String, at time: Instant) {
        append { writer in
            writer.member("at", exactly: time.milliseconds)
            writer.member("patch", raw: text)
        }
    }

    /// Adds numbers that the session continues above, because others may have been given out before a crash or a
    /// restored backup.
    mutating func append(_ numbers: SessionNumbers, at time: Instant) {
        append { writer in
            writer.member("at", exactly: time.milliseconds)
            writer.object("numbers") { $0.members(of: numbers) }
        }
    }

    private mutating func append(_ members: (inout JSONWriter) -> Void) {
        if !isFull { append(Self.line(members)) }
    }

    private mutating func append(_ line: [UInt8]) {
        waitingLines.append(line)
        size.add([line])
    }

    private static func line(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.object(members)
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func members(of size: Size) {
        member("width", exactly: size.width)
        member("height", exactly: size.height)
    }

    fileprivate mutating func members(of numbers: SessionNumbers) {
        member("version", numbers.version)
        member("notification", numbers.notification)
        member("verdict", numbers.verdict)
    }
}

extension DeckDocument {
    /// Whether another deck is written in the same way.
    fileprivate func isWritten(as other: DeckDocument?) -> Bool {
        guard let other else { return false }
        return self === other || self == other && deck.cards.hasSameBytes(as: other.deck.cards)
    }
}
