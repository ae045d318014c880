import DeckJournal
import DeckJournalPostgreSQL
import Foundation
import JournalTesting
import Testing

/// Opening a database.
@Suite struct SchemaTests {
    private func error(_ address: String) -> JournalError? {
        do throws(JournalError) {
            _ = try PostgreSQLJournal(address: address)
            return nil
        } catch {
            return error
        }
    }

    @Test func nodesThatStartTogetherMakeTheTablesOnce() async throws {
        let address = try PostgreSQLServer.newAddress()
        let journals = try await withThrowingTaskGroup(of: PostgreSQLJournal.self) { group in
            // They wait for each other, and for migrations of other tests, which need the threads of tasks.
            for _ in 0..<6 { group.addTask { try await onOwnThread { try PostgreSQLJournal(address: address) } } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(journals.count == 6)
        for (number, journal) in journals.enumerated() { try await journal.created(.sample("\(number)")) }
        for journal in journals { try await journal.closed() }
    }

    /// A later version may have added a column, and declare that this one can still be used.
    @Test func aLaterSchemaIsUsedIfItAllowsThat() async throws {
        let address = try PostgreSQLServer.newAddress()
        let journal = try PostgreSQLJournal(address: address)
        let first = try await journal.created(.sample("a"))
        // While this version serves.
        try PostgreSQLServer.run("ALTER TABLE head ADD COLUMN mood text; UPDATE meta SET format = 8", at: address)
        try await journal.appended(.sample("a", 2), to: "a", after: first)
        let second = try PostgreSQLJournal(address: address)
        try await second.appended(.sample("a", 3), to: "a")
        try await second.closed()
        try PostgreSQLServer.run("UPDATE meta SET usable_by = 8", at: address)
        #expect(error(address) == .unsupportedFormat(version: 8))
        // A node that runs already is not stopped by that; its operator ends it before.
        try await journal.appended(.sample("a", 4), to: "a")
        try await journal.closed()
    }

    /// The tables of the format before, as that version has made them.
    @Test func anEarlierSchemaIsMigrated() async throws {
        let address = try PostgreSQLServer.newAddress()
        let former = try PostgreSQLJournal(address: address)
        let first = try await former.created(.sample("a"))
        try await former.closed()
        let back = """
            \(Self.toFormat2);
            ALTER TABLE meta DROP COLUMN database_number, DROP COLUMN database_count; DROP TABLE transfer;
            UPDATE meta SET format = 1
            """
        try PostgreSQLServer.run(back, at: address)
        let journal = try PostgreSQLJournal(address: address)
        try await journal.appended(.sample("a", 2), to: "a", after: first)
        #expect(try PostgreSQLServer.run("SELECT format, usable_by FROM meta", at: address) == "7|7")
        try await journal.closed()
    }

    private static let toFormat6 = """
        ALTER TABLE meta DROP COLUMN secret, DROP COLUMN journal; UPDATE meta SET format = 6, usable_by = 6
        """
    private static let toFormat5 = """
        \(toFormat6);
        INSERT INTO session_cards SELECT number, bytes FROM session JOIN cards_base ON hash = session.cards_base;
        DROP TABLE cards_base; ALTER TABLE session DROP COLUMN cards_base; UPDATE meta SET format = 5, usable_by = 1
        """
    private static let toFormat4 = "\(toFormat5); DROP INDEX tally_by_writes; UPDATE meta SET format = 4"
    private static let toFormat3 = """
        \(toFormat4);
        DROP VIEW feed_v3; DROP TABLE notice; DROP INDEX session_by_user;
        ALTER TABLE deck_key DROP COLUMN card_count;
        UPDATE meta SET format = 3
        """
    private static let toFormat2 = """
        \(toFormat3);
        DROP VIEW verdict_feed_v2;
        ALTER TABLE session DROP COLUMN player_token_hash, DROP COLUMN user_name, DROP COLUMN metadata;
        UPDATE meta SET format = 2
        """

    /// Sessions as a node of an earlier format has created them.
    @Test func aSessionOfAnEarlierFormatContinues() async throws {
        let address = try PostgreSQLServer.newAddress()
        let first = try PostgreSQLJournal(address: address)
        try await first.created(.sample("a"))
        try await first.closed()
        try PostgreSQLServer.run(Self.toFormat2, at: address)
        let journal = try PostgreSQLJournal(address: address)
        #expect(try await journal.stored("a")?.identity.playerTokenHash == nil)
        var session = NewSession.sample("b")
        (session.identity.user, session.identity.metadata) = ("zoë", "[1]")
        try await journal.created(session)
        #expect(try await journal.stored("b")?.identity == session.identity)
        // As the former release does.
        let former = """
            UPDATE tally SET last_session = 3, last_entry = last_entry + 1, session_count = 3, writes = writes + 1;
            INSERT INTO session (number, created_at, is_recorded, origin_position, origin, id, deck, token_hash,
                spectator_token_hash, clock, owner, root, origin_verdicts)
            VALUES (3, 0, 0, 0, NULL, 'c', 'places', '\\x01', '\\x02', 'server', NULL, NULL, NULL);
            INSERT INTO head SELECT 3, 0, minute, last_active_at, (SELECT last_entry FROM tally), -1, 9, version, 0, 0, 0,
                0, 0, 0, state FROM head WHERE session = 1
            """
        try PostgreSQLServer.run(former, at: address)
        let other = try #require(try await journal.stored("c"))
        #expect(other.identity.playerTokenHash == nil && other.identity.user == nil)
        // Decks were put without a number of cards.
        try PostgreSQLServer.run(
            "INSERT INTO deck_key (revision, is_new, at, owner, key, fingerprint) VALUES (9, 1, 0, '', 'k', '\\x01')",
            at: address
        )
        let key = DeckKey(owner: "", key: "k", fingerprint: [1])
        let putResult = try await value { journal.deckPutResult(of: key, completion: $0) }
        #expect(putResult == .putBefore(revision: 9, isNew: true, cardCount: 0))
        try await journal.appended(.sample("c", 2, feedRecords: [.given(1)]), to: "c")
        try await journal.appended(.sample("b", 2, feedRecords: [.given(1)]), to: "b")
        #expect(try await journal.wholeFeed().rows.map(\.user) == [nil, "zoë"])
        #expect(try PostgreSQLServer.run("SELECT format, usable_by FROM meta", at: address) == "7|7")
        try await journal.closed()
    }

    @Test func aSessionOfFormat5HasItsCardsAlone() async throws {
        let address = try PostgreSQLServer.newAddress()
        let journal = try PostgreSQLJournal(address: address)
        var sessions = try await SessionsWithOwnCards(in: journal)
        try await journal.closed()
        try PostgreSQLServer.run(Self.toFormat5, at: address)
        let migrated = try PostgreSQLJournal(address: address)
        try await sessions.addOne(to: migrated)
        for (id, cards) in sessions.cards { #expect(try await migrated.stored(id)?.cards == cards, "\(id)") }
        try await sessions.change(in: migrated)
        for (id, cards) in sessions.cards { #expect(try await migrated.stored(id)?.cards == cards, "\(id)") }
        #expect(try PostgreSQLServer.run("SELECT count(cards_base) FROM session", at: address) == "2")
        try await migrated.closed()
    }

    /// A dump has read the decks' keys while a node of the format before serves. The migration changes the sessions' table first.
    /// The dump lasts until the test ends it.
    @Test func aMigrationThatWaitsDoesNotMakeOtherNodesWait() async throws {
        let address = try PostgreSQLServer.newAddress()
        try await PostgreSQLJournal(address: address).closed()
        try PostgreSQLServer.run(Self.toFormat3, at: address)
        let dump = "BEGIN; SELECT 1 FROM deck_key; SELECT pg_sleep(3600)"
        async let dumped = onOwnThread { try? PostgreSQLServer.run(dump, at: address) }
        let dumps = """
            FROM pg_stat_activity
            WHERE application_name = current_setting('application_name') AND wait_event = 'PgSleep'
            """
        #expect(try await eventually { try PostgreSQLServer.run("SELECT count(*) \(dumps)", at: address) == "1" })
        async let opened = onOwnThread { try PostgreSQLJournal(address: address) }
        let end = "SELECT pg_cancel_backend(pid) \(dumps)"
        // If the test fails before, it still waits for the dump.
        defer { _ = try? PostgreSQLServer.run(end, at: address) }
        for _ in 0..<3 { try PostgreSQLServer.run(Self.creationDuringAMigration, at: address) }
        #expect(try PostgreSQLServer.run("SELECT count(*) \(dumps)", at: address) == "1")
        try PostgreSQLServer.run(end, at: address)
        _ = try await dumped
        let journal = try await opened
        #expect(try PostgreSQLServer.run("SELECT format FROM meta", at: address) == "7")
        try await journal.closed()
    }

    /// Takes the lock that a new session needs, as soon as the migration waits for the dump. The server counts the time, and
    /// only that of the wait for the lock.
    private static let creationDuringAMigration = """
        DO $$ BEGIN
            SET LOCAL lock_timeout = '2s';
            FOR attempt IN 1..12000 LOOP
                IF EXISTS (SELECT FROM pg_locks WHERE relation = 'deck_key'::regclass AND NOT granted) THEN
                    LOCK TABLE session IN ROW EXCLUSIVE MODE;
                    RETURN;
                END IF;
                PERFORM pg_sleep(0.005);
            END LOOP;
            RAISE 'the migration does not wait';
        END $$
        """

    private func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }

    @Test func aDatabaseHasItsPlaceAmongSeveral() async throws {
        let address = try PostgreSQLServer.newAddress()
        func open(_ number: Int, _ count: Int) throws -> PostgreSQLJournal {
            try PostgreSQLJournal(address: address, place: DatabasePlace(number: number, count: count))
        }
        try await open(0, 1).closed()
        // An empty one takes another place, but only once.
        try await open(1, 2).closed()
        #expect(try PostgreSQLServer.run("SELECT usable_by FROM meta", at: address) == "7")
        for (number, count) in [(0, 1), (0, 2), (1, 3)] {
            let other = "it is number 2 of 2 of the journal's databases, not number \(number + 1) of \(count)"
            #expect(throws: JournalError.unavailable(other)) { try open(number, count) }
        }
        try await open(1, 2).closed()
    }

    @Test func theDatabasesOfAJournalHaveOneId() async throws {
        let addresses = try (0..<6).map { _ in try PostgreSQLServer.newAddress() }
        /// Opens two databases as a journal, and saves a session in each.
        func open(_ first: Int, _ second: Int, use: Bool = true) async throws {
            let here = try PostgreSQLJournal(address: addresses[first], place: DatabasePlace(number: 0, count: 2))
            let place = DatabasePlace(number: 1, count: 2)
            let there = try PostgreSQLJournal(address: addresses[second], place: place, after: here)
            for journal in [here, there] where use {
                _ = try await journal.created(.sample("\(UUID())"))
                try await journal.closed()
            }
        }
        func ids(_ databases: Int...) throws -> Set<String> {
            Set(try databases.map { try PostgreSQLServer.run("SELECT journal FROM meta", at: addresses[$0]) })
        }
        // As long as nothing is saved, the second can be another one.
        try await open(0, 4, use: false)
        try await open(0, 1)
        try await open(2, 3)
        #expect(try ids(0, 1).count == 1 && ids(0, 1, 2, 3).count == 2)
        let other = "it has data of another journal; correct the names of the databases"
        await #expect(throws: JournalError.unavailable(other)) { try await open(0, 3) }
        await #expect(throws: JournalError.unavailable(other)) { try await open(5, 3) }
        let empty = "it is empty, and the first database is not; correct the names of the databases"
        await #expect(throws: JournalError.unavailable(empty)) { try await open(2, 4) }
        // The empty one in front has become another journal, and can be corrected as well.
        try await open(5, 4)
        // Databases of a format before.
        for address in addresses[0...1] { try PostgreSQLServer.run(Self.toFormat6, at: address) }
        try await open(0, 1)
        #expect(try ids(0, 1).count == 1 && ids(0, 2).count == 2)
    }

    @Test func whatIsWrongIsSaidInOneLine() async throws {
        let good = try PostgreSQLServer.newAddress()
        let wrong: [(String, String)] = [
            ("postgres:///none?host=/nonexistent", "/nonexistent"),
            (good.replacing("/postgres?", with: "/missing?"), #"database "missing" does not exist"#),
            (good.replacing("user=deckd", with: "user=stranger"), #"role "stranger" does not exist"#),
            ("postgres://127.0.0.1:1/deckd?connect_timeout=2", "Connection refused"),
            ("postgres://[", "looking for matching"),
            ("postgres:///deckd?nonsense=1", "nonsense"),
            (good + "%20-cdefault_transaction_read_only%3Don", "read-only transaction"),
        ]
        for (address, part) in wrong {
            let text = error(address).map { "\($0)" } ?? "no error"
            #expect(text.contains(part) && !text.contains("\n"), "\(address): \(text)")
        }
    }

    @Test(arguments: [
        ("-csynchronous_commit=local", "deckd"), ("-csearch_path=Places,public", "places"),
        (#"-csearch_path="Two\ Places","public""#, "Two Places"), ("-csearch_path=deck-1", "deck-1"),
        ("-csearch_path=a -csearch_path=b", "b"),
    ])
    func theOptionsOfAnAddressChangeNoSchemaButTheFirstOfThePath(options: String, schema: String) async throws {
        let address = try PostgreSQLServer.newDatabase().replacing(/&options=.*/, with: "")
        let escaped = options.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        for _ in 0..<2 { try await PostgreSQLJournal(address: "\(address)&options=\(escaped)").closed() }
        let schemas = "SELECT string_agg(schemaname, '|') FROM pg_tables WHERE tablename = 'meta'"
        #expect(try PostgreSQLServer.run(schemas, at: address) == schema)
    }

    /// The server's default path begins with the name of the user.
    @Test func withoutAPathOfDeckdNothingIsMade() throws {
        let path = #"%20-csearch_path%3D%22$user%22,public"#
        let text = error(try PostgreSQLServer.newAddress() + path).map { "\($0)" } ?? "no error"
        #expect(text.contains("the server has not received the parameter options"), "\(text)")
    }

    @Test func aUserWithoutPrivilegesIsTold() async throws {
        let address = try PostgreSQLServer.newAddress()
        let user = "reader_\(UUID().uuidString.prefix(8).lowercased())"
        try PostgreSQLServer.run("CREATE ROLE \(user) LOGIN", at: address)
        let theirs = address.replacing("user=deckd", with: "user=\(user)")
        #expect("\(error(theirs).map { "\($0)" } ?? "")".contains("permission denied for database"))
        let journal = try PostgreSQLJournal(address: address)
        #expect("\(error(theirs).map { "\($0)" } ?? "")".contains("permission denied"))
        try await journal.closed()
    }

    @Test func aNameHasNoSecrets() {
        let names = [
            "postgres://deckd:secret@db1,db2:5433/deckd?target_session_attrs=any": "postgres://db1,db2:5433/deckd",
            "postgres:///deckd?host=/run/postgresql&password=secret": "postgres:///run/postgresql/deckd",
            "postgres://[": "PostgreSQL", "postgres://deckd:secret@db1,deckd:secret@db2/deckd": "PostgreSQL",
            "postgres://deckd:secret@db1/deckd,postgres://deckd:secret@db2/deckd": "PostgreSQL",
        ]
        for (address, name) in names { #expect(PostgreSQLJournal.name(of: address) == name) }
    }
}
