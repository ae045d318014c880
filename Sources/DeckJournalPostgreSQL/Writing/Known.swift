import DeckJournal

/// What is known of everything that a group changes: as it was read, and then as the changes left it.
struct Known {
    var heads: Heads
    var ownerCounts: [String: Int] = [:]
    var familyCounts: [String: Int] = [:]
    var cards = SharedCards()
    /// The revisions of the decks.
    var decks: [String: Int] = [:]
    var deckKeys: [KeyPlace: DeckKeyUse] = [:]
    /// When the answers were given.
    var answers: [KeyPlace: WallTime] = [:]

    init(_ heads: Heads) {
        self.heads = heads
    }

    /// What can be read.
    private enum Subject: CaseIterable {
        case heads, owners, families, cardsBases, decks, deckKeys, answers
    }

    /// The statements that read the needs. Most groups need only heads.
    static func statements(for needs: Needs) -> [Statement] {
        subjects(of: needs).map { statement(reading: $0, for: needs) }
    }

    private static func subjects(of needs: Needs) -> [Subject] {
        Subject.allCases.filter { subject in
            switch subject {
            case .heads: !needs.sessions.isEmpty
            case .owners: !needs.owners.isEmpty || !needs.sessionsToEnd.isEmpty
            case .families: !needs.families.isEmpty || !needs.sessionsToEnd.isEmpty
            case .cardsBases: !needs.cardsBases.isEmpty
            case .decks: !needs.decks.isEmpty
            case .deckKeys: !needs.deckKeys.isEmpty
            case .answers: !needs.answers.isEmpty
            }
        }
    }

    private static func statement(reading subject: Subject, for needs: Needs) -> Statement {
        switch subject {
        case .heads:
            return Statement(
                """
                SELECT \(Head.columns) FROM session JOIN head ON head.session = session.number
                WHERE session.id = ANY($1::text[])
                """,
                [.texts(needs.sessions)]
            )
        case .owners:
            return counts(in: "owner", key: "name", of: needs.owners, column: "owner", needs)
        case .families:
            return counts(in: "family", key: "root", of: needs.families, column: "root", needs)
        case .cardsBases:
            return Statement(
                "SELECT hash FROM cards_base WHERE hash = ANY($1::bytea[])",
                [.byteStrings(needs.cardsBases)]
            )
        case .decks:
            return Statement("SELECT id, revision FROM deck WHERE id = ANY($1::text[])", [.texts(needs.decks)])
        case .deckKeys:
            return Statement(
                """
                SELECT owner, key, \(DeckKeyUse.columns) FROM deck_key
                JOIN unnest($1::text[], $2::text[]) AS wanted (owner, key) USING (owner, key)
                """,
                [.texts(needs.deckKeys.map(\.owner)), .texts(needs.deckKeys.map(\.key))]
            )
        case .answers:
            return Statement(
                """
                SELECT wanted.id, wanted.key, answer.at FROM unnest($1::text[], $2::text[]) AS wanted (id, key)
                JOIN session ON session.id = wanted.id
                JOIN answer ON answer.session = session.number AND answer.key = wanted.key
                """,
                [.texts(needs.answers.map(\.owner)), .texts(needs.answers.map(\.key))]
            )
        }
    }

    /// Reads the counts with some names, and the counts of the sessions that will end.
    private static func counts(
        in table: String,
        key: String,
        of names: [String],
        column: String,
        _ needs: Needs
    ) -> Statement {
        let sql = """
            SELECT \(key), count FROM \(table) WHERE \(key) = ANY($1::text[] || ARRAY(
                SELECT session.\(column) FROM session WHERE session.id = ANY($2::text[]) AND session.\(column) IS NOT NULL
            ))
            """
        return Statement(sql, [.texts(names), .texts(needs.sessionsToEnd)])
    }

    /// - Parameter results: of the statements for these needs.
    mutating func read(_ results: some Sequence<Rows>, of needs: Needs) throws(JournalError) {
        for (subject, result) in zip(Self.subjects(of: needs), results) {
            for row in result.rows { try read(row, about: subject) }
        }
    }

    private mutating func read(_ row: Row, about subject: Subject) throws(JournalError) {
        switch subject {
        case .heads: heads.add(try Head(row))
        case .owners: ownerCounts[try row.text(0)] = try row.integer(1)
        case .families: familyCounts[try row.text(0)] = try row.integer(1)
        case .cardsBases: cards.add(try row.bytes(0))
        case .decks: decks[try row.text(0)] = try row.integer(1)
        case .deckKeys:
            let place = KeyPlace(owner: try row.text(0), key: try row.text(1))
            deckKeys[place] = try DeckKeyUse(row, from: 2)
        case .answers: answers[KeyPlace(owner: try row.text(0), key: try row.text(1))] = try row.time(2)
        }
    }
}

extension DeckKeyUse {
    static let columns = "fingerprint, revision, is_new, card_count"

    /// - Parameter column: the first of ``columns``.
    init(_ row: Row, from column: Int) throws(JournalError) {
        self.init(
            fingerprint: try row.bytes(column),
            revision: try row.integer(column + 1),
            isNew: try row.integer(column + 2) != 0,
            cardCount: try row.integer(column + 3)
        )
    }
}
