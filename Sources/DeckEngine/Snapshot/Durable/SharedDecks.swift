/// The settings and the cards of sessions that were read from snapshots. Sessions with equal ones share them.
///
/// Sessions that begin with the same `Deck` share its settings and its cards. One that is read from a snapshot has separate ones,
/// until it is passed to `share`.
public struct SharedDecks: Sendable {
    /// The most settings, and the most lists of cards.
    static let capacity = 256
    /// The most bytes of all lists of cards together.
    static let byteCapacity = 16 << 20

    /// By their bytes in snapshots.
    private(set) var settings: [[UInt8]: SharedSettings] = [:]
    private(set) var cards: Set<CardList> = []
    /// The bytes of `cards`.
    private var byteCount = 0

    /// No settings and no cards.
    public init() {}

    /// Replaces the settings and the cards of a session by equal ones of an earlier session, if there are any. The session stays
    /// equal.
    public mutating func share(_ session: inout DeckSession) {
        session.scene.sharedSettings = shared(session.scene.sharedSettings)
        if case .listed = session.cards { session.pile.useStorage(of: shared(session.cards)) }
    }

    private mutating func shared(_ own: SharedSettings) -> SharedSettings {
        if let known = settings[own.snapshot] { return known }
        if settings.count == Self.capacity { settings.removeAll() }
        settings[own.snapshot] = own
        return own
    }

    private mutating func shared(_ own: CardList) -> CardList {
        let byteCount = own.contentByteCount + own.count * MemoryLayout<Card>.stride
        guard byteCount <= Self.byteCapacity else { return own }
        if let position = cards.firstIndex(of: own) {
            return cards[position].hasSameBytes(as: own) ? cards[position] : own
        }
        if cards.count == Self.capacity || self.byteCount + byteCount > Self.byteCapacity {
            cards.removeAll()
            self.byteCount = 0
        }
        cards.insert(own)
        self.byteCount += byteCount
        return own
    }
}
