public import DeckEngine

/// The cards whose `data` and `label` a client may read.
public enum ReadableCards: Sendable, Equatable {
    /// Every card.
    case all
    /// The cards with these ids.
    case ids(Set<CardID>)

    /// No card.
    public static let none = ReadableCards.ids([])

    /// The cards that a player may read at the session's own time.
    public init(ofPlayerIn session: DeckSession) {
        self = .ids(Set(session.readableIndices.map { session.cards[$0].id }))
    }

    /// Whether the client may read the card with this id.
    public func contains(_ id: CardID) -> Bool {
        switch self {
        case .all: true
        case .ids(let ids): ids.contains(id)
        }
    }
}
