public import DeckEngine

/// Writes frames (`docs/api.md`, "Frames").
public struct FrameWriter: Sendable {
    /// The session's id.
    public var session: String
    /// The members to write.
    public var members = FrameMembers.all
    /// What to write beyond them.
    public var extras = FrameExtras()

    /// A writer of whole frames of one session.
    public init(session: String) {
        self.session = session
    }

    /// Writes a frame as an object.
    ///
    /// - Parameters:
    ///   - deck: the deck that the frame shows, for what its cards hold.
    ///   - notifications: what to list with the frame; nil: no such member.
    public func write(
        _ frame: Frame,
        of deck: Deck,
        notifications: [DeckEngine.Notification]? = nil,
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
            for position in FrameMembers.names.indices where members.contains(position) {
                write(position, of: frame, deck, to: &writer)
            }
            if let notifications { writer.member("notifications", notifications, of: deck) }
        }
    }

    /// Writes the member that stands at a position of `FrameMembers.names`.
    private func write(_ position: Int, of frame: Frame, _ deck: Deck, to writer: inout JSONWriter) {
        let name = FrameMembers.names[position]
        switch position {
        case 0: writer.member(name, session)
        case 1: writer.member(name, frame.version)
        case 2: writer.member(name, frame.at)
        case 3: writer.member(name, frame.currentIndex)
        case 4: writer.member(name, frame.cardCount)
        case 5: writer.member(name, frame.visibleCount)
        case 6: writer.member(name, frame.loop)
        case 7: writer.member(name, frame.exhausted)
        case 8: writer.member(name, frame.dragging)
        case 9: writer.member(name, frame.animating)
        case 10: if let time = frame.settlesAt { writer.member(name, time) } else { writer.nullMember(name) }
        case 11: writer.member(name, frame.canRevert)
        case 12: writer.member(name, 0)
        case 13: writer.array(name) { writer in for card in frame.cards { write(card, of: deck, to: &writer) } }
        default: writer.member(name, frame.lastNotification)
        }
    }

    private func write(_ card: FrameCard, of deck: Deck, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("index", card.index)
            writer.member("id", card.id)
            writer.member("role", card.role.wireName)
            writer.member("z", card.z)
            writer.member("frame", card.frame)
            writer.member("matrix", card.matrix)
            writer.member("anchor", card.anchor)
            writer.member("contentScale", card.contentScale)
            writer.member("opacity", card.opacity)
            writer.member("interactive", card.interactive)
            write(card.overlay, to: &writer)
            writer.member("allowedDirections", card.allowedDirections)
            if extras.data || extras.labels { writeContent(of: content(of: card, in: deck), to: &writer) }
        }
    }

    private func write(_ overlay: OverlayState?, to writer: inout JSONWriter) {
        guard let overlay else { return writer.nullMember("overlay") }
        writer.object("overlay") {
            $0.member("direction", overlay.direction.wireName)
            $0.member("progress", overlay.progress)
            $0.member("alpha", overlay.progress)
        }
    }

    /// What the deck holds of a card; nil for one on its way out that a deck read anew has no more.
    private func content(of card: FrameCard, in deck: Deck) -> Card? {
        guard card.index < deck.cards.count else { return nil }
        let content = deck.cards[card.index]
        return content.id == card.id ? content : nil
    }

    private func writeContent(of card: Card?, to writer: inout JSONWriter) {
        if extras.data {
            if let data = card?.data { writer.member("data", raw: data) } else { writer.nullMember("data") }
        }
        if extras.labels {
            if let label = card?.label { writer.member("label", label) } else { writer.nullMember("label") }
        }
    }
}

extension JSONWriter {
    /// Writes the rest frames of every place that is shown, front first, and of what size the deck is.
    public mutating func slots(of session: DeckSession) {
        let slots = session.slots.dropLast()
        object { writer in
            writer.member("viewport", session.viewport)
            writer.array("slots") { writer in
                for (place, slot) in slots.enumerated() {
                    writer.object {
                        $0.member("place", place)
                        $0.member("frame", slot)
                    }
                }
            }
        }
    }
}
