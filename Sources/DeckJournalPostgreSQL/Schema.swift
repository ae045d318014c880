import DeckJournal

/// The tables. They are in the first schema of the connection's search path, which is `deckd` unless the address says
/// otherwise.
enum Schema {
    /// The format that this version creates and migrates to.
    static var format: Int { migrations.count }

    /// The steps from each format to the next one; the first step creates format 1. Nodes of the version before can be at work
    /// meanwhile, so after a step they must still be able to use the tables, or the step must raise `usable_by`.
    private static let migrations = [tables, places]

    /// Creates the tables if there are none, and migrates those of an earlier format. Nodes that start together wait for each
    /// other.
    ///
    /// - Parameter place: the place that the database must have among those of the journal; nil: any.
    static func prepare(_ connection: Connection, _ place: DatabasePlace?) throws {
        // Another node may be migrating a large schema.
        try connection.run("SELECT pg_advisory_lock(\(lockNumber))", within: .seconds(3600))
        defer { _ = try? connection.run("SELECT pg_advisory_unlock(\(lockNumber))") }
        try makeSchema(connection)
        let former = try formerFormat(connection)
        if place != nil, try connection.run("SHOW transaction_read_only").first?.text(0) == "on" {
            let advice = "target_session_attrs=read-write finds the primary"
            throw JournalError.unavailable("the session is read-only; \(advice)")
        }
        for step in migrations.dropFirst(former) {
            _ = try connection.run(
                (["BEGIN"] + step + ["COMMIT"]).map { Statement($0, isRepeated: false) },
                within: .seconds(3600)
            )
        }
        if let place { try take(place, connection) }
    }

    /// Whether there are tables.
    static func exists(_ connection: Connection) throws -> Bool {
        try connection.run("SELECT to_regclass('meta')").first?.textIfAny(0) != nil
    }

    private static func makeSchema(_ connection: Connection) throws {
        let missing = """
            SELECT quote_ident(trim(both ' "' from split_part(current_setting('search_path'), ',', 1)))
            WHERE current_schema() IS NULL
            """
        if let name = try connection.run(missing).first?.text(0) { try connection.run("CREATE SCHEMA \(name)") }
    }

    /// The format of the tables; 0: there are none.
    private static func formerFormat(_ connection: Connection) throws -> Int {
        guard try exists(connection) else { return 0 }
        guard let row = try connection.run("SELECT format::bigint, usable_by::bigint FROM meta").first else {
            throw JournalError.damaged("the format is missing")
        }
        // A later version can add what it needs and declare that this one can still use the tables. Nodes can then be
        // upgraded one by one.
        guard try row.integer(1) <= format else { throw JournalError.unsupportedFormat(version: try row.integer(0)) }
        return try row.integer(0)
    }

    /// Makes sure that the database has its place among those of the journal. An empty one that has none takes it, once: the same
    /// database cannot have two places. Versions of format 1 know nothing of places, so they must not use one of several databases.
    private static func take(_ place: DatabasePlace, _ connection: Connection) throws {
        guard try connection.run("SELECT source FROM transfer").first == nil else {
            throw JournalError.unavailable("another journal is being copied into it; end that with deckd import")
        }
        let former = try self.place(connection)
        guard former != place else { return }
        let tally = try Tally(connection.run([Tally.reading])[0])
        guard former == .only, tally.lastSession == 0, tally.lastRevision == 0 else {
            throw JournalError.unavailable("it is \(former) of the journal's databases, not \(place)")
        }
        try connection.run(
            "UPDATE meta SET database_number = $1, database_count = $2, usable_by = $3",
            [.integer(place.number), .integer(place.count), .integer(place == .only ? 1 : format)]
        )
    }

    /// The place of the database among those of its journal.
    static func place(_ connection: Connection) throws -> DatabasePlace {
        let reading = "SELECT database_number, database_count FROM meta"
        guard let row = try connection.run(reading).first else { throw JournalError.damaged("the format is missing") }
        return DatabasePlace(number: try row.integer(0), count: try row.integer(1))
    }

    /// The channel on which the nodes that use the schema talk. Its name is hashed because a channel's may not be longer than a
    /// schema's.
    static func channel(_ connection: Connection) throws -> String {
        let rows = try connection.run("SELECT 'deckd_' || md5(current_schema())")
        guard let name = try rows.first?.text(0) else { throw JournalError.damaged("the schema is missing") }
        return name
    }

    /// "deck" in ASCII.
    private static let lockNumber = 0x6465_636B

    /// Format 2: a journal can have several databases, and another journal can be copied into one.
    private static let places = [
        "ALTER TABLE meta ADD COLUMN database_number bigint NOT NULL DEFAULT 0",
        "ALTER TABLE meta ADD COLUMN database_count bigint NOT NULL DEFAULT 1",
        // The journal that is being copied into this one.
        "CREATE TABLE transfer (source text NOT NULL)",
        "UPDATE meta SET format = 2",
    ]

    /// Format 1.
    private static let tables = [
        // Versions that create the format `usable_by` or a later one can use the schema.
        "CREATE TABLE meta (format integer NOT NULL, usable_by integer NOT NULL)",
        "INSERT INTO meta VALUES (1, 1)",
        // Every transaction that writes locks this row first. So transactions are one after the other, whichever node they
        // are of, and the numbers that they use are in the order of their commits.
        """
        CREATE TABLE tally (
            deck_count bigint NOT NULL,
            session_count bigint NOT NULL,
            last_revision bigint NOT NULL,
            last_position bigint NOT NULL,
            last_entry bigint NOT NULL,
            last_session bigint NOT NULL,
            generation bigint NOT NULL,
            writes bigint NOT NULL
        ) WITH (fillfactor = 10)
        """,
        "INSERT INTO tally VALUES (0, 0, 0, 0, 0, 0, 0, 0)",
        """
        CREATE TABLE deck (
            id text COLLATE "C" PRIMARY KEY,
            revision bigint NOT NULL,
            document bytea NOT NULL
        )
        """,
        """
        CREATE TABLE deck_key (
            number bigint GENERATED ALWAYS AS IDENTITY,
            owner text NOT NULL,
            key text NOT NULL,
            fingerprint bytea NOT NULL,
            revision bigint NOT NULL,
            is_new bigint NOT NULL,
            at bigint NOT NULL,
            PRIMARY KEY (owner, key)
        )
        """,
        "CREATE INDEX deck_key_by_number ON deck_key (number)",
        // A session that has ended keeps its row, because the feed's verdicts refer to it.
        """
        CREATE TABLE session (
            number bigint PRIMARY KEY,
            id text COLLATE "C" NOT NULL UNIQUE,
            deck text,
            token_hash bytea,
            spectator_token_hash bytea,
            created_at bigint NOT NULL,
            clock text NOT NULL,
            is_recorded bigint NOT NULL,
            owner text,
            root text,
            origin bigint,
            origin_verdicts bytea,
            origin_position bigint NOT NULL
        )
        """,
        // What changes of a session. Only the minute is indexed, so that most changes leave the indexes alone.
        """
        CREATE TABLE head (
            session bigint PRIMARY KEY,
            has_ended bigint NOT NULL,
            minute bigint NOT NULL,
            last_active_at bigint NOT NULL,
            position bigint NOT NULL,
            predecessor bigint NOT NULL,
            nonce bigint NOT NULL,
            version bigint NOT NULL,
            log_lines bigint NOT NULL,
            log_bytes bigint NOT NULL,
            answer_bytes bigint NOT NULL,
            notification_count bigint NOT NULL,
            part_count bigint NOT NULL,
            needed_parts bigint NOT NULL,
            state bytea
        ) WITH (fillfactor = 50)
        """,
        "CREATE INDEX head_by_activity ON head (minute, session) WHERE has_ended = 0",
        "CREATE TABLE notification (session bigint, number bigint, bytes bytea NOT NULL, PRIMARY KEY (session, number))",
        "CREATE TABLE part (session bigint, number bigint, bytes bytea NOT NULL, PRIMARY KEY (session, number))",
        "CREATE TABLE session_cards (session bigint PRIMARY KEY, bytes bytea NOT NULL)",
        "CREATE TABLE cards_edit (session bigint, position bigint, bytes bytea NOT NULL, PRIMARY KEY (session, position))",
        """
        CREATE TABLE log_line (
            session bigint,
            line bigint,
            at bigint NOT NULL,
            bytes bytea NOT NULL,
            PRIMARY KEY (session, line)
        )
        """,
        "CREATE INDEX log_line_by_age ON log_line (at)",
        // A card's id may have characters that PostgreSQL's text does not allow.
        """
        CREATE TABLE verdict (
            position bigint PRIMARY KEY,
            session bigint NOT NULL,
            deck text,
            number bigint NOT NULL,
            at_milliseconds double precision NOT NULL,
            card_index bigint NOT NULL,
            card_id bytea NOT NULL,
            direction text NOT NULL,
            kind bigint NOT NULL,
            at bigint NOT NULL
        )
        """,
        "CREATE INDEX verdict_by_session ON verdict (session, number, position DESC)",
        "CREATE INDEX verdict_by_deck ON verdict (deck, position) WHERE deck IS NOT NULL",
        """
        CREATE TABLE answer (
            session bigint,
            key text,
            fingerprint bytea NOT NULL,
            at bigint NOT NULL,
            revision bigint NOT NULL,
            total bigint NOT NULL,
            outcome bytea NOT NULL,
            PRIMARY KEY (session, key)
        )
        """,
        "CREATE INDEX answer_by_age ON answer (at)",
        "CREATE TABLE owner (name text PRIMARY KEY, count bigint NOT NULL)",
        "CREATE TABLE family (root text PRIMARY KEY, count bigint NOT NULL)",
        // For the application. Its columns are those of the feed on the wire; a later version gets another name.
        """
        CREATE VIEW verdict_feed_v1 AS SELECT
            position AS cursor,
            session.id AS session,
            verdict.deck,
            verdict.number AS seq,
            CASE kind WHEN 0 THEN 'given' WHEN 1 THEN 'reverted' ELSE 'pending' END AS type,
            CASE WHEN position('\\x00'::bytea IN card_id) = 0 THEN convert_from(card_id, 'UTF8') END AS id,
            card_index AS index,
            direction,
            at_milliseconds AS at,
            to_timestamp(verdict.at / 1000.0) AS committed_at
        FROM verdict JOIN session ON session.number = verdict.session
        """,
        // The sessions that ended and whose rows are still to be removed.
        "CREATE TABLE leftover (session bigint PRIMARY KEY)",
    ]
}
