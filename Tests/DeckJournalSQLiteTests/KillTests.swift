import DeckJournal
import DeckJournalSQLite
import Foundation
import JournalTesting
import Testing

/// A process that commits is killed at a random moment, again and again.
@Suite(.serialized) struct KillTests {
    /// How often it is killed: ten times, or as often as `DECKD_TEST_KILLS` says.
    private static var killCount: Int {
        ProcessInfo.processInfo.environment["DECKD_TEST_KILLS"].flatMap(Int.init) ?? 10
    }

    @Test func whatWasCompletedIsThereOnceAfterAKill() async throws {
        var folder = try TemporaryFolder()
        var known = Model()
        for kill in 0..<Self.killCount {
            // A fresh file now and then, so that some are killed while it is made.
            if kill.isMultiple(of: 5) { (folder, known) = (try TemporaryFolder(), Model()) }
            let milliseconds = kill.isMultiple(of: 5) ? Int.random(in: 0...15) : Int.random(in: 5...120)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = folder.path as String, milliseconds = milliseconds as Int] in
                killThisProcess(after: milliseconds)
                try await Committer(folder: path).run()
            }
            known = try await check(folder, known, "killed after \(milliseconds) ms")
        }
    }

    /// Checks what a killed process has left, and returns it.
    ///
    /// - Parameter known: what was there before.
    private func check(_ folder: TemporaryFolder, _ known: Model, _ comment: Comment) async throws -> Model {
        let completions = try Completions(folder.file("completed"))
        let completed = try completions.versions.merging(known.versions, uniquingKeysWith: max)
        let journal = try SQLiteJournal(path: folder.file("journal.sqlite"))
        var model = Model()
        for session in Committer.sessions {
            let stored = try await value { journal.loadSession(session, completion: $0) }.session
            let least = completed[session] ?? 0
            let version = stored?.version ?? 0
            // What was on its way may be there or not.
            #expect((least...least + Committer.pipelined).contains(version), comment)
            if stored != nil { model.versions[session] = version }
        }
        // The model has every verdict once and in order, and none of those that were refused.
        try await model.check(journal, comment)
        try await value { journal.close(completion: $0) }
        return model
    }
}

private func killThisProcess(after milliseconds: Int) {
    Thread.detachNewThread {
        Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
        kill(getpid(), SIGKILL)
    }
}
