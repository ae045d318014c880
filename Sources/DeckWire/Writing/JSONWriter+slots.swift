public import DeckEngine

extension JSONWriter {
    /// Writes the rectangles of all visible slots, front first, and the size of the deck.
    public mutating func slots(of session: DeckSession) {
        let slots = session.slots
        object { writer in
            writer.member("viewport", session.viewport)
            writer.array("slots") { writer in
                for (place, slot) in slots.enumerated() {
                    writer.object {
                        $0.member("place", place)
                        $0.member("frame", slot.rect)
                    }
                }
            }
        }
    }
}
