// The stage in a snapshot. Which kind of deck it has follows from the layout.
extension Stage {
    /// - Parameter withLeavingCards: whether the leaving cards are included.
    func write(to writer: inout SnapshotWriter, withLeavingCards: Bool) {
        kind.write(to: &writer)
        writer.write(withLeavingCards ? leavingCards : LeavingCards())
        writer.write(hold)
        writer.write(appear)
        writer.write(resetUntil)
    }

    init(from reader: inout SnapshotReader, _ layout: Layout) throws(SnapshotReader.Failure) {
        self.init(
            kind: try Kind(from: &reader, layout),
            leaving: try reader.read(),
            hold: try reader.read(),
            appear: try reader.read(),
            resetUntil: try reader.read()
        )
    }

    /// Whether the decoded stage keeps its invariants.
    func isSound(with pile: Pile, in scene: Scene) -> Bool {
        kind.isSound(with: pile, in: scene) && hold.isSound(with: pile, isCarousel: isCarousel)
    }
}
