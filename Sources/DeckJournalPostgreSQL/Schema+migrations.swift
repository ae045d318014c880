extension Schema {
    /// The steps from each format to the next one; the first step creates format 1. Nodes of the version before can be at work
    /// meanwhile, so after a step they must still be able to use the tables, or the step must raise `usable_by`.
    static let migrations = [tables, places, players, notices, tallyIndex, cardsBases, identities]

    /// Format 2: a journal can have several databases, and another journal can be copied into one.
    private static let places = [
        "ALTER TABLE meta ADD COLUMN database_number bigint NOT NULL DEFAULT 0",
        "ALTER TABLE meta ADD COLUMN database_count bigint NOT NULL DEFAULT 1",
        // The journal that is being copied into this one.
        "CREATE TABLE transfer (source text NOT NULL)",
        "UPDATE meta SET format = 2",
    ]

    /// Format 3: players have tokens, and sessions have a user and metadata. Versions of the formats before leave these empty in
    /// the sessions that they create, and need not know them. `user_name` stays when a session ends, because the feed has it.
    private static let players = [
        "ALTER TABLE session ADD COLUMN player_token_hash bytea",
        "ALTER TABLE session ADD COLUMN user_name text",
        "ALTER TABLE session ADD COLUMN metadata text",
        feedView("verdict_feed_v2", #"session.user_name AS "user","#),
        "UPDATE meta SET format = 3",
    ]

    /// Format 4: the feed has notices, and repetitions of requests that change a part of a deck get its number of cards. Versions
    /// of the formats before neither write nor read notices, and need not know them.
    private static let notices = [
        """
        CREATE TABLE notice (
            position bigint PRIMARY KEY,
            session bigint NOT NULL,
            deck text,
            kind bigint NOT NULL,
            at_milliseconds double precision NOT NULL,
            at bigint NOT NULL
        )
        """,
        "CREATE INDEX notice_by_session ON notice (session, position)",
        "CREATE INDEX notice_by_deck ON notice (deck, position) WHERE deck IS NOT NULL",
        "CREATE INDEX session_by_user ON session (user_name) WHERE user_name IS NOT NULL",
        "ALTER TABLE deck_key ADD COLUMN card_count bigint NOT NULL DEFAULT 0",
        // Earlier versions of the view have verdicts only.
        """
        CREATE VIEW feed_v3 AS
        SELECT
            position AS cursor,
            to_timestamp(verdict.at / 1000.0) AS time,
            session.id AS session,
            session.user_name AS "user",
            verdict.deck,
            NULLIF(verdict.number, 0) AS seq,
            CASE kind WHEN 0 THEN 'verdict' WHEN 1 THEN 'reverted' ELSE 'pending' END AS type,
            card_index AS index,
            CASE WHEN position('\\x00'::bytea IN card_id) = 0 THEN convert_from(card_id, 'UTF8') END AS id,
            direction,
            at_milliseconds AS at
        FROM verdict JOIN session ON session.number = verdict.session
        UNION ALL SELECT
            position, to_timestamp(notice.at / 1000.0), session.id, session.user_name, notice.deck, NULL,
            CASE kind WHEN 3 THEN 'needsCards' WHEN 4 THEN 'ranOut' ELSE 'ended' END, NULL, NULL, NULL,
            CASE WHEN kind <> 5 THEN at_milliseconds END
        FROM notice JOIN session ON session.number = notice.session
        """,
        "UPDATE meta SET format = 4",
    ]

    /// Format 5: the newest version of the tally is found by an index.
    private static let tallyIndex = [
        "CREATE UNIQUE INDEX tally_by_writes ON tally (writes)",
        "UPDATE meta SET format = 5",
    ]

    /// Format 6: sessions with equal cards share them. Versions of the formats before would not find the cards of new sessions.
    /// The cards of former sessions stay in `session_cards`.
    private static let cardsBases = [
        """
        CREATE TABLE cards_base (
            hash bytea PRIMARY KEY,
            bytes bytea NOT NULL
        )
        """,
        "ALTER TABLE session ADD COLUMN cards_base bytea",
        "CREATE INDEX session_by_cards ON session (cards_base) WHERE cards_base IS NOT NULL",
        "UPDATE meta SET format = 6, usable_by = 6",
    ]

    /// Format 7: the databases of a journal have the same id, and the channel's name has a secret. Versions of the formats before talk
    /// on another channel.
    private static let identities = [
        "ALTER TABLE meta ADD COLUMN secret text NOT NULL DEFAULT gen_random_uuid()::text",
        // Null until a server has taken the database into its journal.
        "ALTER TABLE meta ADD COLUMN journal text",
        "UPDATE meta SET format = 7, usable_by = 7",
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
        feedView("verdict_feed_v1"),
        // The sessions that ended and whose rows are still to be removed.
        "CREATE TABLE leftover (session bigint PRIMARY KEY)",
    ]

    /// Creates a view with the feed.
    ///
    /// - Parameter more: the columns that later versions of the view have in addition.
    private static func feedView(_ name: String, _ more: String = "") -> String {
        """
        CREATE VIEW \(name) AS SELECT
            position AS cursor,
            session.id AS session,
            verdict.deck,
            \(more)
            verdict.number AS seq,
            CASE kind WHEN 0 THEN 'given' WHEN 1 THEN 'reverted' ELSE 'pending' END AS type,
            CASE WHEN position('\\x00'::bytea IN card_id) = 0 THEN convert_from(card_id, 'UTF8') END AS id,
            card_index AS index,
            direction,
            at_milliseconds AS at,
            to_timestamp(verdict.at / 1000.0) AS committed_at
        FROM verdict JOIN session ON session.number = verdict.session
        """
    }
}
