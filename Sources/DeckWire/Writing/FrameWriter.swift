public import DeckEngine

/// Writes frames (`docs/api.md`, "Frames").
public struct FrameWriter: Sendable {
    /// The session's id.
    public var session: String
    /// The members to write.
    public var members = FrameMembers.all
    /// The additional members to write.
    public var extras = FrameExtras()
    /// The cards whose content may be written. The data and the label of other cards are null.
    public var readable = ReadableCards.all

    /// A writer of whole frames of one session.
    public init(session: String) {
        self.session = session
    }

    /// Whether another writer writes the same members.
    public func hasMembers(of other: FrameWriter) -> Bool {
        members == other.members && extras == other.extras
    }

    /// Writes the frame of a session at a time as an object. A later time assumes that no event comes until then. An earlier
    /// time counts as the session's.
    ///
    /// - Parameter notifications: the frame's `notifications`; nil: no such member.
    public func write(
        _ engine: DeckSession,
        at time: Instant,
        notifications: [DeckNotification]? = nil,
        to writer: inout JSONWriter
    ) {
        // All members are of one moment. A session can be read at a later time as it is, unless an effect is due until then.
        if engine.hasEffects(until: time) {
            write(engine.advanced(to: time), readAt: time, notifications, to: &writer)
        } else {
            write(engine, readAt: max(time, engine.now), notifications, to: &writer)
        }
    }

    /// Writes the frame of a session at its own time as an object.
    public func write(_ engine: DeckSession, to writer: inout JSONWriter) {
        write(engine, readAt: engine.now, nil, to: &writer)
    }

    /// - Parameter time: the time of the frame, until which the session has no effects.
    /// - Returns: the place of the time in the bytes of the writer; nil: the time is not written.
    @discardableResult
    private func write(
        _ engine: DeckSession,
        readAt time: Instant,
        _ notifications: [DeckNotification]?,
        to writer: inout JSONWriter
    ) -> Range<Int>? {
        engine.readFrame(at: time) { frame, forEachCard in
            var place: Range<Int>?
            writer.object { writer in
                place = write(members: frame, forEachCard, extras.haveContent ? .deck(engine.cards) : nil, to: &writer)
                if extras.motion { writer.member("motion", engine.motion(at: time)) }
                if extras.labels {
                    write(engine.speech(showing: frame.currentIndex, where: readable.contains), in: frame, to: &writer)
                }
                if let notifications { writer.member("notifications", notifications) }
            }
            return place
        }
    }

    /// The frame of a session at its own time, in which the time can be replaced.
    public func text(of engine: DeckSession) -> FrameText {
        var writer = JSONWriter(capacity: 4096)
        let time = write(engine, readAt: engine.now, nil, to: &writer)
        return FrameText(writer.bytes, time: time)
    }

    /// Writes a moment as an object, as the other method writes the session at that time.
    public func write(_ moment: Moment, to writer: inout JSONWriter) {
        writer.object { writer in
            let contents: CardContents? = extras.haveContent ? .saved(moment.contents) : nil
            write(members: moment.frame, { moment.frame.cards.forEach($0) }, contents, to: &writer)
            if extras.motion { writer.member("motion", moment.motion) }
            if extras.labels { write(moment.speech, in: moment.frame, to: &writer) }
        }
    }

    /// - Parameter contents: nil if the extras do not have the content of cards.
    /// - Returns: the place of the time in the bytes of the writer; nil: the time is not written.
    @discardableResult
    private func write(
        members frame: Frame,
        _ forEachCard: ((FrameCard) -> Void) -> Void,
        _ contents: CardContents?,
        to writer: inout JSONWriter
    ) -> Range<Int>? {
        var time: Range<Int>?
        // The names are written as constants, so that the compiler can join each with the punctuation around it.
        if members.contains(.session) { writer.member("session", session) }
        if members.contains(.version) { writer.member("version", frame.version) }
        if members.contains(.at) { time = write(time: frame.at, to: &writer) }
        if members.contains(.currentIndex) { writer.member("currentIndex", frame.currentIndex) }
        if members.contains(.cardCount) { writer.member("cardCount", frame.cardCount) }
        if members.contains(.visibleCount) { writer.member("visibleCount", frame.visibleCount) }
        if members.contains(.loop) { writer.member("loop", frame.loop) }
        if members.contains(.exhausted) { writer.member("exhausted", frame.exhausted) }
        if members.contains(.dragging) { writer.member("dragging", frame.dragging) }
        if members.contains(.drag) { write(frame.drag, to: &writer) }
        if members.contains(.pending) { write(frame.pending, to: &writer) }
        if members.contains(.animating) { writer.member("animating", frame.animating) }
        if members.contains(.settlesAt) { writer.member("settlesAt", frame.settlesAt?.roundedUpToNanoseconds) }
        if members.contains(.canRevert) { writer.member("canRevert", frame.canRevert) }
        if members.contains(.canRedo) { writer.member("canRedo", frame.canRedo) }
        if members.contains(.cards) { write(cards: forEachCard, of: frame, contents, to: &writer) }
        if members.contains(.lastNotification) { writer.member("lastNotification", frame.lastNotification) }
        return time
    }

    /// - Returns: the place of the number in the bytes of the writer.
    private func write(time: Instant, to writer: inout JSONWriter) -> Range<Int> {
        writer.key("at")
        let start = writer.byteCount
        writer.number(time.milliseconds)
        return start..<writer.byteCount
    }

    private func write(
        cards forEachCard: ((FrameCard) -> Void) -> Void,
        of frame: Frame,
        _ contents: CardContents?,
        to writer: inout JSONWriter
    ) {
        writer.array("cards") { writer in
            var position = 0
            forEachCard { card in
                write(card, at: position, of: frame, contents, to: &writer)
                position += 1
            }
        }
    }

    private func write(_ speech: Speech, in frame: Frame, to writer: inout JSONWriter) {
        writer.member("accessibility", Accessibility(speech, frame))
    }

    private func write(_ drag: FrameDrag?, to writer: inout JSONWriter) {
        guard let drag else { return writer.nullMember("drag") }
        writer.object("drag") { writer in
            writer.member("translation", drag.translation)
            if let direction = drag.direction { writer.member("direction", direction.name) }
            writer.member("percentage", 100 * drag.progress)
            writer.member("thresholdPercentage", 100 * drag.thresholdProgress)
            switch drag.decision {
            case .swipes: writer.member("outcome", "swiped" as StaticString)
            case .waits: writer.member("outcome", "pending" as StaticString)
            case .reverts: writer.member("outcome", "reverted" as StaticString)
            case .resets(let reason):
                writer.member("outcome", "reset" as StaticString)
                writer.member("reason", reason.rawValue)
            }
        }
    }

    private func write(_ pending: FramePending?, to writer: inout JSONWriter) {
        guard let pending else { return writer.nullMember("pending") }
        writer.object("pending") {
            $0.member("index", pending.index)
            $0.member("id", pending.id)
            $0.member("direction", pending.direction.name)
            $0.member("since", pending.since)
            $0.member("until", pending.until)
        }
    }

    private func write(
        _ card: FrameCard,
        at position: Int,
        of frame: Frame,
        _ contents: CardContents?,
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("index", card.index)
            writer.member("id", card.id)
            if let flip = card.flip {
                writer.moreMembers(bytes: Self.placeRoom) { $0.append(placeOf: card) }
                writer.member("matrix3d", card.matrix, flip)
                writer.moreMembers(bytes: Self.looksRoom) { $0.append(looksOf: card) }
            } else {
                // Most cards: room is made once.
                writer.moreMembers(bytes: Self.placeRoom + 16 + TextBuffer.matrixRoom + Self.looksRoom) { room in
                    room.append(placeOf: card)
                    room.append(",\"matrix\":")
                    room.append(card.matrix)
                    room.append(looksOf: card)
                }
            }
            if let contents { write(contents.content(of: card, at: position), of: card, in: frame, to: &writer) }
        }
    }

    /// The room for the members of a card before its matrix, after the index and the id.
    private static let placeRoom = 128 + TextBuffer.numberRoom + TextBuffer.rectRoom
    /// The room for the members of a card after its matrix.
    private static let looksRoom = 256 + 2 * TextBuffer.pairRoom + 3 * TextBuffer.numberRoom + TextBuffer.directionsRoom

    private func write(_ content: CardContent?, of card: FrameCard, in frame: Frame, to writer: inout JSONWriter) {
        let content = readable.contains(card.id) ? content : nil
        if extras.data {
            if let data = content?.data { writer.member("data", raw: data) } else { writer.nullMember("data") }
        }
        if extras.labels {
            if let label = content?.label { writer.member("label", label) } else { writer.nullMember("label") }
            if card.isInDeck {
                writer.member("position", "\(card.index + 1) of \(frame.cardCount)")
            } else {
                writer.nullMember("position")
            }
        }
    }
}

/// Where the contents of the cards of a frame are.
private enum CardContents {
    /// In the deck.
    case deck(CardList)
    /// In the order of the cards of the frame.
    case saved([CardContent?])

    func content(of card: FrameCard, at position: Int) -> CardContent? {
        switch self {
        case .deck(let cards): cards.content(of: card)
        case .saved(let contents): contents[position]
        }
    }
}

extension TextBuffer {
    /// Appends the members of a card before its matrix, after the index and the id.
    fileprivate mutating func append(placeOf card: FrameCard) {
        append(",\"role\":")
        append(quoted: card.role.name)
        append(",\"z\":")
        append(card.z)
        append(",\"frame\":")
        append(card.frame)
        append(",\"face\":")
        append(quoted: card.face.name)
    }

    /// Appends the members of a card after its matrix.
    fileprivate mutating func append(looksOf card: FrameCard) {
        append(",\"anchor\":")
        append("x", card.anchor.x, "y", card.anchor.y)
        append(",\"contentScale\":")
        append("x", card.contentScale.x, "y", card.contentScale.y)
        append(",\"opacity\":")
        append(card.opacity)
        append(",\"interactive\":")
        append(card.interactive)
        append(",\"overlay\":")
        if let overlay = card.overlay {
            append("{\"direction\":")
            append(quoted: overlay.direction.name)
            append(",\"progress\":")
            append(overlay.progress)
            append(",\"alpha\":")
            append(overlay.alpha)
            append(UInt8(ascii: "}"))
        } else {
            append("null")
        }
        append(",\"allowedDirections\":")
        append(card.allowedDirections)
    }
}
