extension DeckSession {
    /// Whether the decoded parts are consistent, so that no index leads beyond the deck.
    var isSound: Bool {
        isSize(viewport) && isSize(screen) && pile.isSound(loops: settings.loop) && stage.isSound(with: pile, in: scene)
            && counters.isSound
    }

    private func isSize(_ size: Size) -> Bool {
        let lengths = 1e-3...1e9
        return lengths.contains(size.width) && lengths.contains(size.height)
    }
}
