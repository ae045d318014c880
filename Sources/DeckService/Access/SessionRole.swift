import DeckHost
import DeckJournal

/// The rights of a client in a session.
enum SessionRole: Sendable, Equatable, CaseIterable {
    /// It has the session's `token` or an API key, or the server has no keys: it may do everything.
    case owner
    /// It has the `playerToken`: it does what a person at the deck does.
    case player
    /// It has the `spectatorToken`: it only reads, and only what a player can read.
    case spectator

    /// Whether it can only read the cards that are shown and the next `rules.lookahead` cards.
    var readsOnlyShownCards: Bool { self != .owner }

    /// The bucket that pays for its requests.
    var payer: Payer { self == .spectator ? .spectator : .player }

    /// Whether it may use an endpoint.
    func mayUse(_ access: Access) -> Bool {
        guard case .session(let need) = access else { return self == .owner }
        return switch (self, need) {
        case (.owner, _), (_, .read), (.player, .play): true
        case (_, .review), (_, .own), (.spectator, .play): false
        }
    }

    /// The problem of a client that may not use an endpoint.
    var problem: Problem {
        switch self {
        case .owner, .spectator: Problem(.forbidden, "A spectator token only allows reading what is shown.")
        case .player: Problem(.notAllowedForPlayers, "A player token does not allow this request.")
        }
    }
}

extension SessionIdentity {
    /// The role of a client whose token has this hash; nil: it is not a token of this session. Every hash is compared, so that
    /// the time does not depend on which one is equal.
    func role(ofTokenHash hash: [UInt8]) -> SessionRole? {
        let isOwners = isSameInConstantTime(hash, tokenHash)
        // Sessions of earlier releases have no player token. No hash is empty.
        let isPlayers = isSameInConstantTime(hash, playerTokenHash ?? [])
        let isSpectators = isSameInConstantTime(hash, spectatorTokenHash)
        return isOwners ? .owner : isPlayers ? .player : isSpectators ? .spectator : nil
    }
}
