import DeckJournal
import DeckJournalPostgreSQL
import JournalTesting
import Testing

/// The connections of a journal, when that of its writer is made again. The new one may be to another server.
@Suite struct LeadTests {
    @Test func readersAndTheListenerFollowTheWriter() async throws {
        let address = try PostgreSQLServer.newAddress()
        let options = JournalOptions(housekeepingInterval: .milliseconds(20))
        let journal = try PostgreSQLJournal(address: address, options: options)
        let others = "FROM pg_stat_activity WHERE application_name = current_setting('application_name')"
        /// Reads on all threads that read, and returns the server's processes of the journal.
        func processes() async throws -> Set<Substring> {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = try await journal.totals() } }
                try await group.waitForAll()
            }
            let sql = "SELECT pid \(others) AND pid <> pg_backend_pid()"
            return Set(try PostgreSQLServer.run(sql, at: address).split(separator: "\n"))
        }
        #expect(await eventually { journal.newsCoverage(of: 0).map { $0.until > $0.since } ?? false })
        var former: Set<Substring> = []
        let hasAll = try await eventually {
            former = try await processes()
            return former.count == 4
        }
        #expect(hasAll)
        // Housekeeping has found nothing to do.
        let end = "SELECT count(pg_terminate_backend(pid)) \(others) AND query = 'ROLLBACK'"
        #expect(try await eventually { try PostgreSQLServer.run(end, at: address) == "1" })
        let areOther = try await eventually {
            let processes = try await processes()
            return processes.count == 4 && processes.isDisjoint(with: former)
        }
        #expect(areOther)
        try await journal.closed()
    }
}
