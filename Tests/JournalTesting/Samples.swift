package import DeckJournal

package func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

package func time(_ milliseconds: Int64) -> WallTime { WallTime(milliseconds: milliseconds) }

extension NewSession {
    package static func sample(
        _ id: String,
        deck: String? = "places",
        at milliseconds: Int64 = 1000,
        nonce: UInt64 = 7,
        cards: [UInt8]? = nil,
        logLines: [[UInt8]] = []
    ) -> NewSession {
        let identity = SessionIdentity(
            id: id,
            tokenHash: bytes("token of \(id)"),
            spectatorTokenHash: bytes("spectator token of \(id)"),
            playerTokenHash: bytes("player token of \(id)"),
            deck: deck,
            createdAt: time(milliseconds),
            clock: "server",
            isRecorded: !logLines.isEmpty
        )
        return NewSession(
            identity: identity,
            nonce: nonce,
            version: 1,
            state: bytes("\(id) at 1"),
            cards: cards.map { CardsBase($0) },
            logLines: logLines
        )
    }
}

extension CardsChange {
    package static func replaced(_ cards: [UInt8]) -> CardsChange { .replaced(CardsBase(cards)) }
}

extension Entry {
    /// An entry whose state says its session and version, and whose nonce follows from the version.
    package static func sample(
        _ session: String,
        _ version: Int,
        at milliseconds: Int64 = 2000,
        feedRecords: [FeedRecord] = [],
        notifications: [String] = []
    ) -> Entry {
        Entry(
            nonce: .max - UInt64(version),
            at: time(milliseconds),
            version: version,
            state: bytes("\(session) at \(version)"),
            notifications: notifications.map(bytes),
            feedRecords: feedRecords
        )
    }
}

extension AnswerRecord {
    package static func sample(_ key: String, _ outcome: String, at milliseconds: Int64 = 2000) -> AnswerRecord {
        AnswerRecord(key: key, fingerprint: [1, 2], outcome: bytes(outcome), at: time(milliseconds))
    }
}

extension FeedRecord {
    package static func given(_ number: Int) -> FeedRecord { sample(number, .given) }

    package static func reverted(_ number: Int) -> FeedRecord { sample(number, .reverted) }

    package static func sample(_ number: Int, _ kind: Kind) -> FeedRecord {
        FeedRecord(
            number: number,
            atMilliseconds: Double(number) + 0.25,
            cardIndex: number - 1,
            cardID: "card \(number)",
            direction: "right",
            kind: kind
        )
    }
}

extension SessionFinding {
    package var session: StoredSession? {
        if case .session(let session) = self { session } else { nil }
    }
}
