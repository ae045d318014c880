import DeckJournal
import DeckJournalSQLite
import FileTesting
import Foundation
import JournalTesting
import Testing
import RandomTesting

/// The power fails at every wait for the disk, several times each.
extension FaultTests {
    @Test(arguments: 0..<6) func nothingThatWasCompletedIsLostWithThePower(round: Int) async throws {
        FaultyDisk.install()
        var failures = 0
        for wait in 0..<60 {
            let seed = UInt64(round * 1000 + wait)
            if try await losePower(atWait: wait, seed: seed) { failures += 1 }
        }
        // Or there would have been nothing to test.
        #expect(failures > 30)
    }

    /// Returns whether the power failed at all.
    private func losePower(atWait wait: Int, seed: UInt64) async throws -> Bool {
        let folder = try TemporaryFolder(isQuick: true)
        let path = folder.file("journal.sqlite")
        let comment: Comment = "wait \(wait), seed \(seed)"
        // The file itself is there before the test.
        try await SQLiteJournal(path: path).closed()
        PowerLoss.arm(under: folder.path, atWait: wait, seed: seed)
        defer { PowerLoss.disarm() }
        let journal = try SQLiteJournal(path: path, pagesToCheckpoint: 20, entriesToFold: 10)
        var random = SeededNumbers(seed: seed)
        var completed = Model()
        var current = Model()
        while PowerLoss.image == nil, current.sessions.values.reduce(0, { $0 + $1.version }) < 120 {
            let session = "\(random.next() % 4)"
            if current.sessions[session] == nil {
                try await current.create(session, in: journal)
            } else {
                let (entry, revision) = current.next(of: session)
                current.follow(session, try await journal.appended(entry, to: session, after: revision))
            }
            // What completed before the power failed must be there.
            if PowerLoss.image == nil { completed = current }
        }
        let image = PowerLoss.image
        try await journal.closed()
        guard let image else { return false }
        try await check(image, completed, current, comment)
        return true
    }

    private func check(
        _ image: [String: [UInt8]],
        _ completed: Model,
        _ current: Model,
        _ comment: Comment
    ) async throws {
        let folder = try TemporaryFolder(isQuick: true)
        for (path, bytes) in image where !path.hasSuffix("-shm") {
            try Data(bytes).write(to: URL(filePath: folder.file(URL(filePath: path).lastPathComponent)))
        }
        let journal: SQLiteJournal
        do {
            journal = try SQLiteJournal(path: folder.file("journal.sqlite"))
        } catch {
            Issue.record("\(comment): \(error)")
            return
        }
        // The last change was on its way: it is there or not.
        var expected = completed
        for (session, (version, revision)) in current.sessions where completed.sessions[session]?.version != version {
            if try await journal.stored(session)?.revision == revision {
                expected.sessions[session] = (version, revision)
            }
        }
        try await expected.check(journal, comment)
        // The journal continues.
        try await expected.create("new", in: journal)
        try await expected.check(journal, comment)
        try await journal.closed()
    }
}
