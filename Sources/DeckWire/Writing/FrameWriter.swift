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
        // All members are read from the session at this time, so that they belong to the same moment.
        guard time > engine.now else { return write(engine, notifications, to: &writer) }
        write(engine.advanced(to: time), notifications, to: &writer)
    }

    /// Writes the frame of a session at its own time.
    private func write(_ engine: DeckSession, _ notifications: [DeckNotification]?, to writer: inout JSONWriter) {
        let frame = engine.frame(at: engine.now)
        writer.object { writer in
            write(members: frame, to: &writer)
            if extras.motion { writer.member("motion", engine.motion(at: engine.now)) }
            if extras.labels {
                write(engine.speech(showing: frame.currentIndex, where: readable.contains), in: frame, to: &writer)
            }
            if let notifications { writer.member("notifications", notifications) }
        }
    }

    /// Writes a moment as an object, as the other method writes the session at that time.
    public func write(_ moment: Moment, to writer: inout JSONWriter) {
        writer.object { writer in
            write(members: moment.frame, to: &writer)
            if extras.motion { writer.member("motion", moment.motion) }
            if extras.labels { write(moment.speech, in: moment.frame, to: &writer) }
        }
    }

    private func write(members frame: Frame, to writer: inout JSONWriter) {
        for member in FrameMember.allCases where members.contains(member) { write(member, of: frame, to: &writer) }
    }

    private func write(_ member: FrameMember, of frame: Frame, to writer: inout JSONWriter) {
        let name = member.name
        switch member {
        case .session: writer.member(name, session)
        case .version: writer.member(name, frame.version)
        case .at: writer.member(name, frame.at)
        case .currentIndex: writer.member(name, frame.currentIndex)
        case .cardCount: writer.member(name, frame.cardCount)
        case .visibleCount: writer.member(name, frame.visibleCount)
        case .loop: writer.member(name, frame.loop)
        case .exhausted: writer.member(name, frame.exhausted)
        case .dragging: writer.member(name, frame.dragging)
        case .drag: write(frame.drag, name, to: &writer)
        case .pending: write(frame.pending, name, to: &writer)
        case .animating: writer.member(name, frame.animating)
        case .settlesAt: if let time = frame.settlesAt { writer.member(name, time) } else { writer.nullMember(name) }
        case .canRevert: writer.member(name, frame.canRevert)
        case .canRedo: writer.member(name, frame.canRedo)
        case .cards: writer.array(name) { writer in for card in frame.cards { write(card, of: frame, to: &writer) } }
        case .lastNotification: writer.member(name, frame.lastNotification)
        }
    }

    private func write(_ speech: Speech, in frame: Frame, to writer: inout JSONWriter) {
        writer.member("accessibility", Accessibility(speech, frame))
    }

    private func write(_ drag: FrameDrag?, _ name: StaticString, to writer: inout JSONWriter) {
        guard let drag else { return writer.nullMember(name) }
        writer.object(name) { writer in
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

    private func write(_ pending: FramePending?, _ name: StaticString, to writer: inout JSONWriter) {
        guard let pending else { return writer.nullMember(name) }
        writer.object(name) {
            $0.member("index", pending.index)
            $0.member("id", pending.id)
            $0.member("direction", pending.direction.name)
            $0.member("since", pending.since)
            $0.member("until", pending.until)
        }
    }

    private func write(_ card: FrameCard, of frame: Frame, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("index", card.index)
            writer.member("id", card.id)
            let bytes = 128 + OutputSpan<UInt8>.longestNumber + OutputSpan<UInt8>.longestRect
            writer.moreMembers(bytes: bytes) { room in
                room.append(",\"role\":")
                room.append(quoted: card.role.name)
                room.append("z", card.z)
                room.append(",\"frame\":")
                room.append(card.frame)
                room.append(",\"face\":")
                room.append(quoted: card.face.name)
            }
            if let flip = card.flip {
                writer.member("matrix3d", card.matrix, flip)
            } else {
                writer.member("matrix", card.matrix)
            }
            writePlace(of: card, to: &writer)
            if extras.data || extras.labels { writeContent(of: card, in: frame, to: &writer) }
        }
    }

    /// Writes the members of a card after its matrix.
    private func writePlace(of card: FrameCard, to writer: inout JSONWriter) {
        typealias Room = OutputSpan<UInt8>
        let bytes = 256 + 2 * Room.longestPair + 3 * Room.longestNumber + Room.longestDirections
        writer.moreMembers(bytes: bytes) { room in
            room.append(",\"anchor\":")
            room.append("x", card.anchor.x, "y", card.anchor.y)
            room.append(",\"contentScale\":")
            room.append("x", card.contentScale.x, "y", card.contentScale.y)
            room.append("opacity", card.opacity)
            room.append("interactive", card.interactive)
            room.append(",\"overlay\":")
            if let overlay = card.overlay {
                room.append("{\"direction\":")
                room.append(quoted: overlay.direction.name)
                room.append("progress", overlay.progress)
                room.append("alpha", overlay.alpha)
                room.append(UInt8(ascii: "}"))
            } else {
                room.append("null")
            }
            room.append(",\"allowedDirections\":")
            room.append(card.allowedDirections)
        }
    }

    private func writeContent(of card: FrameCard, in frame: Frame, to writer: inout JSONWriter) {
        let content = readable.contains(card.id) ? card.content : nil
        if extras.data {
            if let data = content?.data { writer.member("data", raw: data) } else { writer.nullMember("data") }
        }
        if extras.labels {
            if let label = content?.label { writer.member("label", label) } else { writer.nullMember("label") }
            writer.member("position", "\(card.index + 1) of \(frame.cardCount)")
        }
    }
}
