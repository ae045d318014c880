import DeckJournal

/// The test data with which a node finds out whether changes can be saved: a session and a deck, with rows in all tables that changes
/// grow.
///
/// An empty transaction would show nothing: the server has room for it when its disk is full, and it needs no privilege for the
/// tables.
enum Trial {
    /// The size of the rows.
    static let byteCount = 64 << 10
    /// A row of this size is stored in its table: the server neither compresses it nor stores it elsewhere. So a trial needs new pages
    /// of the table of verdicts, which changes only ever append to.
    private static let bytesPerRow = 1800

    private static func randomText(_ count: Int) -> String {
        let numbers = (0..<count / 16 + 1).map { _ in String(UInt64.random(in: (1 << 60)...UInt64.max), radix: 16) }
        return String(numbers.joined().prefix(count))
    }

    static func session(at time: WallTime) -> NewSession {
        let id = "trial-\(randomText(32))"
        let bytes = Array(randomText(bytesPerRow).utf8)
        let identity = SessionIdentity(
            id: id,
            tokenHash: [],
            spectatorTokenHash: [],
            playerTokenHash: [],
            deck: id,
            createdAt: time,
            clock: "server",
            isRecorded: true,
            owner: id,
            root: id
        )
        let verdicts = (1...byteCount / bytesPerRow + 1).map { number in
            FeedRecord(
                number: number,
                atMilliseconds: 0,
                cardIndex: number,
                cardID: randomText(bytesPerRow),
                direction: "left",
                kind: .given
            )
        }
        return NewSession(
            identity: identity,
            nonce: 0,
            version: 1,
            state: bytes,
            parts: [bytes],
            notifications: [bytes],
            cards: CardsBase(bytes),
            logLines: [bytes],
            feedRecords: verdicts + [.notice(.ranOut, atMilliseconds: 0)],
            answers: [AnswerRecord(key: id, fingerprint: [], outcome: bytes, at: time)]
        )
    }
}

extension Changes {
    /// Adds a trial. Its rows are removed before those of the changes are written, so that no transaction ever sees them.
    mutating func addTrial() throws(JournalError) {
        var changes = Changes(Known(Heads()), tally, at: rows.time, oldestAnswer: nil)
        let session = Trial.session(at: rows.time)
        _ = try changes.create(session)
        _ = try changes.putDeck(session.identity.id, session.state, if: .none, atMost: .max, once: nil)
        trial = [Statement("SAVEPOINT trial")] + changes.statements + [Statement("ROLLBACK TO SAVEPOINT trial")]
    }
}
