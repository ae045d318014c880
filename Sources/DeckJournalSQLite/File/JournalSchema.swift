import DeckJournal

/// The tables of the file, and the migrations from earlier formats.
enum JournalSchema {
    /// The application id in the header of a journal's file: "deck" in ASCII.
    static let applicationID = 0x6465_636B
    /// The format that this version reads and writes. It is the user version in the file's header.
    static let format = 8
    static let tables = [
        "deck", "session", "session_cards", "log_line", "verdict", "answer", "tally", "owner",
        "entry", "cards_part", "cards_edit", "leftover", "deck_key",
        "session_verdict", "session_answer", "family", "notice", "cards_base",
    ]

    /// The statements that make each format from the one before it. The first ones make format 1 from an empty file.
    private static var migrations: [[String]] {
        [
            [decks, sessions, verdicts, answers, tally, "PRAGMA application_id = \(applicationID)", migrationNames],
            [owners],
            [logBytes],
            [entries, cards, outcomes, times(WallTime.now())],
            [sessionVerdicts, sessionAnswers, families],
            [players],
            [notices],
            [cardsBases],
        ]
    }

    /// The format of a file; 0 if it is empty.
    static func format(of db: Connection) throws -> Int {
        try db.integer("PRAGMA user_version") ?? 0
    }

    /// Brings a file to this version's format. Each format is a transaction.
    static func migrate(_ db: Connection) throws {
        for (format, statements) in zip(1..., migrations).dropFirst(try format(of: db)) {
            try db.transaction {
                for statement in statements { try db.execute(statement) }
                try db.run("INSERT INTO grdb_migrations VALUES (?)", [.text("format \(format)")])
                try db.execute("PRAGMA user_version = \(format)")
            }
        }
    }

    /// Earlier releases look here for the migrations that a file has had. They can still open files of this format.
    private static let migrationNames = "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"

    private static let decks = """
        CREATE TABLE deck (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            revision INTEGER NOT NULL,
            document BLOB NOT NULL
        ) STRICT;
        """

    /// The row of a session stays when the session ends, because verdicts in the feed refer to its number.
    ///
    /// Cards are in separate tables: they are large and seldom change, and a commit rewrites the session's row. The index has the
    /// minute in which a session was last active and not the time, so that few commits must change the index.
    private static let sessions = """
        CREATE TABLE session (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            deck TEXT,
            tokenHash BLOB,
            spectatorTokenHash BLOB,
            createdAt INTEGER NOT NULL,
            clock TEXT NOT NULL,
            isRecorded INTEGER NOT NULL,
            hasEnded INTEGER NOT NULL,
            lastActiveAt INTEGER NOT NULL,
            activePeriod INTEGER NOT NULL,
            logLineCount INTEGER NOT NULL,
            version INTEGER NOT NULL,
            snapshot BLOB
        ) STRICT;
        CREATE INDEX session_by_activity ON session (activePeriod) WHERE hasEnded = 0;
        CREATE TABLE session_cards (
            session INTEGER PRIMARY KEY,
            cards BLOB NOT NULL
        ) STRICT;
        CREATE TABLE log_line (
            session INTEGER NOT NULL,
            line INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (session, line)
        ) STRICT, WITHOUT ROWID;
        """

    private static let verdicts = """
        CREATE TABLE verdict (
            position INTEGER PRIMARY KEY,
            session INTEGER NOT NULL,
            deck TEXT,
            number INTEGER NOT NULL,
            atMilliseconds REAL NOT NULL,
            cardIndex INTEGER NOT NULL,
            cardID TEXT NOT NULL,
            direction TEXT NOT NULL,
            kind INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX verdict_by_session ON verdict (session, number);
        CREATE INDEX verdict_by_deck ON verdict (deck) WHERE deck IS NOT NULL;
        """

    private static let answers = """
        CREATE TABLE answer (
            number INTEGER PRIMARY KEY,
            session INTEGER NOT NULL,
            key TEXT NOT NULL,
            fingerprint BLOB NOT NULL,
            status INTEGER NOT NULL,
            body BLOB NOT NULL,
            at INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX answer_by_key ON answer (session, key);
        CREATE INDEX answer_by_age ON answer (at);
        """

    /// Counts are stored, because counting would read every row. `fences` is for transactions that must write something without
    /// changing data.
    private static let tally = """
        CREATE TABLE tally (
            number INTEGER PRIMARY KEY CHECK (number = 1),
            deckCount INTEGER NOT NULL,
            sessionCount INTEGER NOT NULL,
            lastRevision INTEGER NOT NULL,
            lastPosition INTEGER NOT NULL,
            fences INTEGER NOT NULL
        ) STRICT;
        INSERT INTO tally VALUES (1, 0, 0, 0, 0, 0);
        """

    /// The names of the API keys that sessions were created with, and the number of sessions of each, because counting would read
    /// every row. These statements read no row, so the migration of a large file takes no longer than that of a small one.
    private static let owners = """
        ALTER TABLE session ADD COLUMN owner TEXT;
        CREATE TABLE owner (
            name TEXT PRIMARY KEY,
            sessionCount INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// The number of sessions that were copied with a session's token, by the first session of each family. It is stored, because
    /// counting would read every row.
    private static let families = """
        ALTER TABLE session ADD COLUMN root TEXT;
        CREATE TABLE family (
            root TEXT PRIMARY KEY,
            copyCount INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// The hash of the token that allows playing, and what the application says of the session. Sessions of earlier formats
    /// have none of these. `userName` stays when a session ends, because the feed has it.
    private static let players = """
        ALTER TABLE session ADD COLUMN playerTokenHash BLOB;
        ALTER TABLE session ADD COLUMN userName TEXT;
        ALTER TABLE session ADD COLUMN metadata TEXT;
        """

    /// The rows of the feed that are about whole sessions. They take places between those of the verdicts. There are few of
    /// them, so they have their indexes at once. The list of a user's sessions has only those that have not ended, the feed has all.
    /// `cardCount` is for repetitions of requests that change a part of a deck.
    private static let notices = """
        CREATE TABLE notice (
            position INTEGER PRIMARY KEY,
            session INTEGER NOT NULL,
            deck TEXT,
            kind INTEGER NOT NULL,
            atMilliseconds REAL NOT NULL,
            at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX notice_by_session ON notice (session);
        CREATE INDEX notice_by_deck ON notice (deck) WHERE deck IS NOT NULL;
        CREATE INDEX session_by_user ON session (userName, hasEnded) WHERE userName IS NOT NULL;
        ALTER TABLE deck_key ADD COLUMN cardCount INTEGER NOT NULL DEFAULT 0;
        """

    /// The bases of cards, which sessions with equal ones share. `session_cards`, `cards_part` and `leftover` have them under the
    /// numbers of `SharedCards.session(ofBase:)`. A session of an earlier format has its base under its own number, and `cardsBase` is
    /// NULL. Numbers are not used again, because parts of a base can still be left when it has no session.
    private static let cardsBases = """
        CREATE TABLE cards_base (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            hash BLOB NOT NULL UNIQUE
        ) STRICT;
        ALTER TABLE session ADD COLUMN cardsBase INTEGER;
        CREATE INDEX session_by_cards ON session (cardsBase) WHERE cardsBase IS NOT NULL;
        """

    /// The number of bytes of a session's log. The bytes of earlier logs are not counted, because that would read every row.
    private static let logBytes = """
        ALTER TABLE session ADD COLUMN logByteCount INTEGER NOT NULL DEFAULT 0;
        """

    /// The entries of sessions since housekeeping moved their heads into the sessions' rows. Appending writes to the end
    /// of this one table, which has no other index. `notifications` is an `EntryAttachments`, and `notified`
    /// is the session's last entry before this one that has one with notifications or parts of the state.
    ///
    /// The head in a session's row is an entry too: `position`, `predecessor`, `nonce`, `version` and `snapshot`, which
    /// is the state. A session of an earlier format has position 0. `answerBytes` is the sum of all answers that a
    /// session ever had. `originVerdicts` are the numbers that a fork shares with its origin, as they were up to
    /// `originPosition` in the feed; NULL after its end.
    private static let entries = """
        CREATE TABLE entry (
            position INTEGER PRIMARY KEY,
            session INTEGER NOT NULL,
            predecessor INTEGER NOT NULL,
            nonce INTEGER NOT NULL,
            version INTEGER NOT NULL,
            at INTEGER NOT NULL,
            logLineCount INTEGER NOT NULL,
            logByteCount INTEGER NOT NULL,
            answerBytes INTEGER NOT NULL,
            notified INTEGER NOT NULL,
            state BLOB NOT NULL,
            notifications BLOB
        ) STRICT;
        ALTER TABLE session ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE session ADD COLUMN predecessor INTEGER NOT NULL DEFAULT -1;
        ALTER TABLE session ADD COLUMN nonce INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE session ADD COLUMN notifications BLOB;
        ALTER TABLE session ADD COLUMN answerBytes INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE session ADD COLUMN origin INTEGER;
        ALTER TABLE session ADD COLUMN originVerdicts BLOB;
        ALTER TABLE session ADD COLUMN originPosition INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE tally ADD COLUMN lastEntry INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE tally ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE tally ADD COLUMN writes INTEGER NOT NULL DEFAULT 0;
        """

    /// Large cards are continued in parts, and edits follow their base. `leftover` has the sessions that ended and whose
    /// rows must still be removed.
    private static let cards = """
        CREATE TABLE cards_part (
            session INTEGER NOT NULL,
            part INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (session, part)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE cards_edit (
            session INTEGER NOT NULL,
            position INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (session, position)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE leftover (session INTEGER PRIMARY KEY) STRICT;
        """

    /// Answers of earlier formats were response bodies, from which no outcome can be made. They are dropped. Rows are in
    /// the order of their times, so there is no index of these. The outcome is last, so that a scan need not read it.
    private static let outcomes = """
        DROP TABLE answer;
        CREATE TABLE answer (
            number INTEGER PRIMARY KEY,
            session INTEGER NOT NULL,
            key TEXT NOT NULL,
            fingerprint BLOB NOT NULL,
            at INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            total INTEGER NOT NULL,
            outcome BLOB NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX answer_by_key ON answer (session, key);
        CREATE TABLE deck_key (
            number INTEGER PRIMARY KEY,
            owner TEXT NOT NULL,
            key TEXT NOT NULL,
            fingerprint BLOB NOT NULL,
            revision INTEGER NOT NULL,
            isNew INTEGER NOT NULL,
            at INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX deck_key_by_key ON deck_key (owner, key);
        """

    /// The index of the feed by session. Rows behind `indexedPosition` may not be in it yet.
    private static let sessionVerdicts = """
        CREATE TABLE session_verdict (
            session INTEGER NOT NULL,
            number INTEGER NOT NULL,
            position INTEGER NOT NULL,
            PRIMARY KEY (session, number, position)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO session_verdict SELECT session, number, position FROM verdict ORDER BY session, number, position;
        DROP INDEX verdict_by_session;
        ALTER TABLE tally ADD COLUMN indexedPosition INTEGER NOT NULL DEFAULT 0;
        UPDATE tally SET indexedPosition = lastPosition;
        """

    /// The index of the answers by session. Answers behind `indexedAnswer` may not be in it yet. An answer beyond its
    /// session's limit loses its index entry at once, and its row later: it is dead until then.
    ///
    /// Outcomes of events were JSON before, from which no moment can be made. They are dropped. Those with an empty key are
    /// of the session's creation.
    private static let sessionAnswers = """
        DELETE FROM answer WHERE key <> '';
        DROP INDEX answer_by_key;
        CREATE TABLE session_answer (
            session INTEGER NOT NULL,
            key TEXT NOT NULL,
            number INTEGER NOT NULL,
            at INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            total INTEGER NOT NULL,
            PRIMARY KEY (session, key)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO session_answer SELECT session, key, number, at, revision, total FROM answer;
        ALTER TABLE tally ADD COLUMN lastAnswer INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE tally ADD COLUMN indexedAnswer INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE tally ADD COLUMN answerBytes INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE tally ADD COLUMN deadAnswerBytes INTEGER NOT NULL DEFAULT 0;
        UPDATE tally SET lastAnswer = (SELECT COALESCE(MAX(number), 0) FROM answer);
        UPDATE tally SET indexedAnswer = lastAnswer;
        """

    /// When verdicts and log lines were saved. Those of an earlier format are as old as the migration.
    private static func times(_ now: WallTime) -> String {
        """
        ALTER TABLE verdict ADD COLUMN at INTEGER NOT NULL DEFAULT \(now.milliseconds);
        ALTER TABLE log_line ADD COLUMN at INTEGER NOT NULL DEFAULT \(now.milliseconds);
        """
    }
}
