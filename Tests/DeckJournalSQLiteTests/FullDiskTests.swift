import DeckJournal
import DeckJournalSQLite
import FileTesting
import Foundation
import JournalTesting
import Testing

/// The kernel refuses what is written beyond a limit, as it does when a disk is full.
@Suite struct FullDiskTests {
    @Test func aFullDiskRefusesUntilThereIsRoom() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("journal.sqlite")
        // The limit is one of the whole process.
        await #expect(processExitsWith: .success) { [path = path as String] in
            let journal = try SQLiteJournal(path: path)
            var model = Model()
            for session in ["a", "b"] { try await model.create(session, in: journal) }
            for room in [0, 100, 5000, 20_000, 60_000] {
                try limitFiles(to: fileSize(path + "-wal") + room)
                var refusals = 0
                while refusals < 3 {
                    let (entry, revision) = model.next(of: "a")
                    switch await journal.tryAppend(entry, to: "a", after: revision) {
                    case .success(let revision): model.follow("a", revision)
                    case .failure(.unavailable): refusals += 1
                    case .failure(let error): Issue.record("\(error)")
                    }
                }
                try limitFiles(to: nil)
                let (entry, revision) = model.next(of: "b")
                model.follow("b", try await journal.appended(entry, to: "b", after: revision))
                try await model.check(journal, "with room for \(room) bytes")
            }
            try await journal.closed()
            let reopened = try SQLiteJournal(path: path)
            try await model.check(reopened, "reopened")
            try await reopened.closed()
        }
    }

    @Test func failedHousekeepingIsReported() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("journal.sqlite")
        await #expect(processExitsWith: .success) { [path = path as String] in
            let clock = TestClock(1000)
            let options = clock.options(ages: JournalAges(sessions: .seconds(1)))
            let journal = try SQLiteJournal(path: path, options: options)
            for number in 0..<20 { _ = try await journal.created(.sample("\(number)")) }
            #expect(journal.statistics.housekeepingFailures.count == 0)
            try limitFiles(to: 0)
            clock.set(3000)
            #expect(await eventually { journal.statistics.housekeepingFailures.count > 1 })
            let error = try #require(journal.statistics.housekeepingFailures.lastError)
            #expect("\(error)".hasPrefix("The journal is unavailable: "))
            try limitFiles(to: nil)
            #expect(try await eventually { try await journal.totals().sessions == 0 })
            try await journal.closed()
        }
    }
}

/// Lets the process write no file beyond a size; nil: it may again.
private func limitFiles(to bytes: Int?) throws {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(1), &limit) == 0 else { throw POSIXError(.EINVAL) }
    limit.rlim_cur = bytes.map { rlim_t($0) } ?? limit.rlim_max
    guard setrlimit(__rlimit_resource_t(1), &limit) == 0 else { throw POSIXError(.EINVAL) }
}

private func fileSize(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
}
