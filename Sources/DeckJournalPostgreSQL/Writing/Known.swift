import DeckJournal

/// What is known of everything that a group changes: as it was read, and then as the changes left it.
struct Known {
    struct PutDeck {
        var fingerprint: [UInt8]
        var revision: Int
        var isNew: Bool
    }

    var heads: [String: Head] = [:]
    var ownerCounts: [String: Int] = [:]
    var familyCounts: [String: Int] = [:]
    /// The revisions of the decks.
    var decks: [String: Int] = [:]
    var deckKeys: [KeyPlace: PutDeck] = [:]
    /// When the answers were given.
    var answers: [KeyPlace: WallTime] = [:]

    /// The statements that read what is needed.
    static func statements(for needs: Needs) -> [Statement] {
        let deckKeys = Array(needs.deckKeys)
        let answers = Array(needs.answers)
        return [
            Statement(
                """
                SELECT \(Head.columns) FROM session JOIN head ON head.session = session.number
                WHERE session.id = ANY($1::text[])
                """,
                [.texts(Array(needs.sessions))]
            ),
            counts(in: "owner", key: "name", of: needs.owners, column: "owner", needs),
            counts(in: "family", key: "root", of: needs.families, column: "root", needs),
            Statement("SELECT id, revision FROM deck WHERE id = ANY($1::text[])", [.texts(Array(needs.decks))]),
            Statement(
                """
                SELECT owner, key, fingerprint, revision, is_new FROM deck_key
                JOIN unnest($1::text[], $2::text[]) AS wanted (owner, key) USING (owner, key)
                """,
                [.texts(deckKeys.map(\.owner)), .texts(deckKeys.map(\.key))]
            ),
            Statement(
                """
                SELECT wanted.id, wanted.key, answer.at FROM unnest($1::text[], $2::text[]) AS wanted (id, key)
                JOIN session ON session.id = wanted.id
                JOIN answer ON answer.session = session.number AND answer.key = wanted.key
                """,
                [.texts(answers.map(\.owner)), .texts(answers.map(\.key))]
            ),
        ]
    }

    /// Reads the counts with some names, and the counts of the sessions that will end.
    private static func counts(
        in table: String,
        key: String,
        of names: Set<String>,
        column: String,
        _ needs: Needs
    ) -> Statement {
        let sql = """
            SELECT \(key), count FROM \(table) WHERE \(key) = ANY($1::text[] || ARRAY(
                SELECT session.\(column) FROM session WHERE session.id = ANY($2::text[]) AND session.\(column) IS NOT NULL
            ))
            """
        return Statement(sql, [.texts(Array(names)), .texts(Array(needs.endedSessions))])
    }

    /// - Parameter results: of the statements.
    init(_ results: [Rows]) throws(JournalError) {
        for row in results[0].rows {
            let head = try Head(row)
            heads[head.id] = head
        }
        for row in results[1].rows { ownerCounts[try row.text(0)] = try row.integer(1) }
        for row in results[2].rows { familyCounts[try row.text(0)] = try row.integer(1) }
        for row in results[3].rows { decks[try row.text(0)] = try row.integer(1) }
        for row in results[4].rows {
            deckKeys[KeyPlace(owner: try row.text(0), key: try row.text(1))] = PutDeck(
                fingerprint: try row.bytes(2),
                revision: try row.integer(3),
                isNew: try row.integer(4) != 0
            )
        }
        for row in results[5].rows {
            answers[KeyPlace(owner: try row.text(0), key: try row.text(1))] = try row.time(2)
        }
    }
}
