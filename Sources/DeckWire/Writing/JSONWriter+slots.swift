public import DeckEngine

extension JSONWriter {
    /// Writes the rest frames of every place that is shown, front first, and of what size the deck is.
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
