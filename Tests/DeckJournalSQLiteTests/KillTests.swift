import DeckJournal
import DeckJournalSQLite
import FileTesting
import Foundation
import JournalTesting
import Testing

/// A process that appends is killed at a random moment, again and again.
@Suite(.serialized) struct KillTests {
    /// How often it is killed: ten times, or as often as `DECKD_TEST_KILLS` says.
    private static var killCount: Int {
        ProcessInfo.processInfo.environment["DECKD_TEST_KILLS"].flatMap(Int.init) ?? 10
    }

    @Test func completedEntriesAreThereOnceAfterAKill() async throws {
        var folder = try TemporaryFolder()
        var completedCount = 0
        for kill in 0..<Self.killCount {
            // A new file now and then, so that some are killed while it is created.
            let isNew = kill.isMultiple(of: 5)
            if isNew { folder = try TemporaryFolder() }
            // The last one has time to complete some entries in any case.
            let isLast = kill == Self.killCount - 1
            let milliseconds = isNew ? Int.random(in: 0...15) : isLast ? 1000 : Int.random(in: 5...120)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = folder.path as String, milliseconds = milliseconds as Int] in
                killThisProcess(after: milliseconds)
                try await Committer(folder: path).run()
            }
            completedCount += try await check(folder, "killed after \(milliseconds) ms")
        }
        print("\(completedCount) completed entries were looked for")
        #expect(completedCount > 0)
    }

    /// Checks the file that a killed process has left. Returns how many entries were completed.
    private func check(_ folder: TemporaryFolder, _ comment: Comment) async throws -> Int {
        let completed = try Completions(folder.file("completed")).all
        let journal = try SQLiteJournal(path: folder.file("journal.sqlite"), entriesToFold: 50)
        var model = Model()
        for session in Committer.sessions {
            let completed = completed[session] ?? []
            // No revision was used for two states.
            let versions = Dictionary(grouping: completed, by: \.revision).mapValues { Set($0.map(\.version)) }
            #expect(versions.values.allSatisfy { $0.count == 1 }, comment)
            guard let stored = try await journal.stored(session) else {
                #expect(completed.isEmpty, comment)
                continue
            }
            // The entry that was on its way may be there or not.
            let last = completed.last?.version ?? stored.version
            #expect((last...last + 1).contains(stored.version), comment)
            if let last = completed.last, last.version == stored.version { #expect(last.revision == stored.revision) }
            model.sessions[session] = (stored.version, stored.revision)
        }
        // Every verdict and notification is there once, and none of an entry that was refused.
        try await model.check(journal, comment)
        try await journal.closed()
        return completed.values.map(\.count).reduce(0, +)
    }
}

private func killThisProcess(after milliseconds: Int) {
    Thread.detachNewThread {
        Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
        kill(getpid(), SIGKILL)
    }
}
