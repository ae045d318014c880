import DeckJournal
import DeckJournalPostgreSQL
import JournalTesting
import Testing

/// Groups of changes in PostgreSQL.
@Suite struct GroupTests {
    @Test func aRecordThatCannotBeStoredFailsAlone() async throws {
        let journal = try PostgreSQLJournal(address: PostgreSQLServer.newAddress())
        // A string of PostgreSQL cannot have NUL.
        let ids = (0..<40).map { $0 % 10 == 3 ? "bad\0\($0)" : "good\($0)" }
        let errors = await withTaskGroup(of: (String, JournalError?).self) { group in
            for id in ids {
                group.addTask { (id, await failure { journal.create(.sample(id), completion: $0) }) }
            }
            return await group.reduce(into: [String: JournalError?]()) { $0[$1.0] = $1.1 }
        }
        for id in ids { #expect((errors[id] ?? nil) == nil || id.hasPrefix("bad"), "\(id): \(errors)") }
        #expect(errors.filter { $0.key.hasPrefix("bad") }.allSatisfy { $0.value?.isUnavailable == true })
        #expect(journal.statistics.sessions == 36)
        #expect(journal.statistics.queuedChanges == 0 && journal.statistics.queuedBytes == 0)
        for id in ids where id.hasPrefix("good") { try await journal.appended(.sample(id, 2), to: id) }
        try await journal.closed()
    }

    /// As if the queue of notifications were full. The server counts the attempts, also those that fail.
    @Test func anErrorOfTheServerFailsAGroupAtOnce() async throws {
        let address = try PostgreSQLServer.newAddress()
        let journal = try PostgreSQLJournal(address: address)
        let refusal = """
            CREATE SEQUENCE attempts;
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                PERFORM nextval('attempts');
                RAISE 'too many notifications in the NOTIFY queue' USING ERRCODE = '54000';
            END $$;
            CREATE TRIGGER refusal BEFORE UPDATE ON tally FOR EACH ROW EXECUTE FUNCTION refuse()
            """
        try PostgreSQLServer.run(refusal, at: address)
        let failures = await withTaskGroup(of: JournalError?.self) { group in
            for id in 0..<200 { group.addTask { await failure { journal.create(.sample("\(id)"), completion: $0) } } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(failures.allSatisfy { $0?.isUnavailable == true })
        // Each change alone would be an attempt more than there are changes.
        let attempts = try PostgreSQLServer.run("SELECT last_value <= 200 FROM attempts", at: address)
        #expect(attempts == "t")
        try PostgreSQLServer.run("DROP TRIGGER refusal ON tally", at: address)
        try await journal.created(.sample("a"))
        try await journal.closed()
    }

    /// What is left of sessions that ended is removed as fast as they end.
    @Test func endedSessionsLeaveNothing() async throws {
        let address = try PostgreSQLServer.newAddress()
        let journal = try PostgreSQLJournal(address: address)
        for number in 0..<300 {
            try await journal.created(.sample("\(number)", cards: [1], logLines: [bytes("line")]))
            _ = try await journal.ended("\(number)")
        }
        let rows =
            "(SELECT count(*) FROM leftover) + (SELECT count(*) FROM log_line) + (SELECT count(*) FROM session_cards)"
        let start = ContinuousClock.now
        #expect(try await eventually { try PostgreSQLServer.run("SELECT \(rows)", at: address) == "0" })
        #expect(.now - start < .seconds(20))
        let hashes = "SELECT count(*) FROM session WHERE token_hash IS NOT NULL OR spectator_token_hash IS NOT NULL"
        #expect(try PostgreSQLServer.run(hashes, at: address) == "0")
        try await journal.closed()
    }

    /// The server plans a statement once, when its table is small, and keeps versions of rows that are long replaced as long as
    /// a dump lasts.
    @Test func noStatementReadsAWholeTable() async throws {
        let address = try PostgreSQLServer.newAddress()
        let journal = try PostgreSQLJournal(address: address)
        let key = DeckKey(owner: "", key: "k", fingerprint: [1])
        _ = try await value { journal.putDeck("d", [], if: .none, atMost: 9, once: key, completion: $0) }
        let table = "FROM pg_stat_user_tables WHERE schemaname = current_schema() AND relname"
        let lookups = "SELECT idx_scan > 100 \(table) = 'tally'"
        // The server counts late.
        var number = 0
        while number < 500, try number % 20 > 0 || PostgreSQLServer.run(lookups, at: address) == "f" {
            number += 1
            let id = "\(number)"
            try await journal.created(.sample(id, cards: [1], logLines: [bytes("line")]))
            try await journal.appended(.sample(id, 2, feedRecords: [.given(1)]), to: id)
            #expect(try await journal.stored(id) != nil)
            _ = try await journal.ended(id)
            _ = try await journal.wholeFeed()
            _ = try await journal.totals()
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(number < 500)
        // An index is made from the only row of the tally.
        let whole = "SELECT string_agg(relname, ' ') \(table) NOT IN ('meta', 'transfer') AND seq_tup_read > 1"
        let found = try PostgreSQLServer.run(whole, at: address)
        #expect(found == "")
        try await journal.closed()
    }

    @Test func aChangeAfterALostConnectionSucceeds() async throws {
        let address = try PostgreSQLServer.newAddress()
        let journal = try PostgreSQLJournal(address: address)
        var revision = try await journal.created(.sample("a"))
        for version in 2...6 {
            try PostgreSQLServer.cutConnections(of: address)
            revision = try await journal.appended(.sample("a", version), to: "a", after: revision)
            #expect(try await journal.found("a").session?.revision == revision)
        }
        try await journal.closed()
    }

    @Test func aNodeThatWritesAloneReadsNoHeadAgain() async throws {
        let address = try PostgreSQLServer.newAddress()
        let journal = try PostgreSQLJournal(address: address)
        var revision = try await journal.created(.sample("a"))
        func append(_ version: Int) async throws {
            revision = try await journal.appended(.sample("a", version), to: "a", after: revision)
        }
        for version in 2...3 { try await append(version) }
        // A head can only be read together with this table.
        try PostgreSQLServer.run("ALTER TABLE session RENAME TO hidden", at: address)
        for version in 4...30 { try await append(version) }
        // With another connection it must be read.
        try PostgreSQLServer.cutConnections(of: address)
        await #expect(throws: JournalError.self) { try await append(31) }
        try PostgreSQLServer.run("ALTER TABLE hidden RENAME TO session", at: address)
        #expect(await eventually { (try? await append(31)) != nil })
        #expect(try await journal.found("a").session?.version == 31)
        try await journal.closed()
    }

    @Test(arguments: [1, 2, 3]) func whatAnotherNodeHasChangedIsReadAgain(appends: Int) async throws {
        let address = try PostgreSQLServer.newAddress()
        let (one, other) = (try PostgreSQLJournal(address: address), try PostgreSQLJournal(address: address))
        var revision = try await one.created(.sample("a"))
        try await one.created(.sample("b"))
        var version = 1
        func append(over journal: PostgreSQLJournal) async throws {
            for _ in 0..<appends {
                version += 1
                revision = try await journal.appended(.sample("a", version), to: "a", after: revision)
            }
        }
        try await append(over: one)
        let former = revision
        try await append(over: other)
        #expect(
            await one.appendError(.sample("a", version + 1), to: "a", after: former) == .conflict(current: revision)
        )
        try await append(over: one)
        try await append(over: other)
        #expect(try await one.found("a").session?.version == version)
        // The end of a session, too.
        _ = try await other.ended("a")
        #expect(await one.appendError(.sample("a", version + 1), to: "a", after: revision) == .conflict(current: nil))
        try await one.closed()
        try await other.closed()
    }
}
