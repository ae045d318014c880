import DeckJournal
import DeckJournalPostgreSQL
import JournalTesting
import Testing

/// The connections of a journal, when that of its writer is made again. The new one may be to another server.
@Suite struct LeadTests {
    private static let others = "FROM pg_stat_activity WHERE application_name = current_setting('application_name')"

    private let address: String

    init() throws {
        address = try PostgreSQLServer.newAddress()
    }

    /// Reads on all threads that read, and returns the server's processes of the journal.
    private func processes(_ journal: PostgreSQLJournal) async throws -> Set<Substring> {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await journal.totals() } }
            try await group.waitForAll()
        }
        let sql = "SELECT pid \(Self.others) AND pid <> pg_backend_pid()"
        return Set(try PostgreSQLServer.run(sql, at: address).split(separator: "\n"))
    }

    /// The processes when all connections are made.
    private func allProcesses(_ journal: PostgreSQLJournal) async throws -> Set<Substring> {
        #expect(await eventually { journal.newsCoverage(of: 0).map { $0.until > $0.since } ?? false })
        var all: Set<Substring> = []
        let areAll = try await eventually {
            all = try await processes(journal)
            return all.count == 4
        }
        #expect(areAll)
        return all
    }

    private func expectOther(_ journal: PostgreSQLJournal, than former: Set<Substring>) async throws {
        let areOther = try await eventually {
            let processes = try await processes(journal)
            return processes.count == 4 && processes.isDisjoint(with: former)
        }
        #expect(areOther)
    }

    @Test func readersAndTheListenerFollowTheWriter() async throws {
        let options = JournalOptions(housekeepingInterval: .milliseconds(20))
        let journal = try PostgreSQLJournal(address: address, options: options)
        let former = try await allProcesses(journal)
        // Housekeeping has found nothing to do.
        let end = "SELECT count(pg_terminate_backend(pid)) \(Self.others) AND query = 'ROLLBACK'"
        #expect(try await eventually { try PostgreSQLServer.run(end, at: address) == "1" })
        try await expectOther(journal, than: former)
        try await journal.closed()
    }

    /// The connection is lost before the first change, as in a failover.
    @Test func theyFollowAWriterThatHasWrittenNothing() async throws {
        let options = JournalOptions(housekeepingInterval: .seconds(3600))
        let journal = try PostgreSQLJournal(address: address, options: options)
        let former = try await allProcesses(journal)
        let last = "query LIKE 'SET idle_in_transaction_session_timeout%'"
        let end = "SELECT count(pg_terminate_backend(pid)) \(Self.others) AND \(last)"
        #expect(try PostgreSQLServer.run(end, at: address) == "1")
        try await journal.created(.sample("a"))
        try await expectOther(journal, than: former)
        try await journal.closed()
    }

    /// The server takes connections and refuses changes, as a former primary does.
    @Test func aServerThatRefusesChangesGetsFewConnections() async throws {
        let address = try PostgreSQLServer.newDatabase()
        let name = try #require(address.firstMatch(of: /database_[0-9a-f]+/)).0
        let journal = try PostgreSQLJournal(address: address)
        try await journal.created(.sample("a"))
        func connections() throws -> Int {
            let sql = "SELECT sessions FROM pg_stat_database WHERE datname = '\(name)'"
            return try #require(Int(try PostgreSQLServer.run(sql, at: self.address)))
        }
        try PostgreSQLServer.run("ALTER DATABASE \(name) SET default_transaction_read_only = on", at: self.address)
        try PostgreSQLServer.cutConnections(of: address)
        let before = try connections()
        let end = ContinuousClock.now + .seconds(3)
        await withTaskGroup(of: Void.self) { group in
            for client in 0..<8 {
                group.addTask {
                    while .now < end {
                        _ = await failure { journal.create(.sample("\(client)"), completion: $0) }
                        try? await Task.sleep(for: .milliseconds(1))
                    }
                }
            }
        }
        #expect(try connections() - before < 40)
        #expect(journal.statistics.reconnections < 10)
        try PostgreSQLServer.run("ALTER DATABASE \(name) RESET default_transaction_read_only", at: self.address)
        #expect(await eventually { (try? await journal.created(.sample("b"))) != nil })
        try await journal.closed()
    }
}
