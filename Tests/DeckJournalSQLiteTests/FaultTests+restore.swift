@testable import DeckJournalSQLite
import FileTesting
import Foundation
import JournalTesting
import Testing

extension FaultTests {
    /// The backup has an early format, so the copy is migrated before it replaces the file.
    @Test(arguments: [
        Fault(operations: [.write], successes: 0, lasts: true), Fault(operations: [.sync], successes: 0, lasts: true),
    ])
    func aRestoreIsCompleteOrChangesNothing(_ kind: Fault) async throws {
        FaultyDisk.install()
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let backup = tests.appending(path: "DeckdTests/Releases/format-1.sqlite")
        let folder = try TemporaryFolder(isQuick: true)
        let path = folder.file("journal.sqlite")
        try await SQLiteJournal(path: path).closed()
        let former = try Data(contentsOf: URL(filePath: path))
        var fault = kind
        var hasFailed = true
        while hasFailed {
            try former.write(to: URL(filePath: path))
            FaultyDisk.arm(fault, under: folder.path)
            let result = Result { try SQLiteJournal.restore(backup.path, to: path) }
            hasFailed = FaultyDisk.disarm() > 0
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["journal.sqlite"])
            if case .success = result {
                let db = try JournalFile(path: path).openForWriting()
                #expect(try db.row("PRAGMA quick_check(1)")?.text(0) == "ok", "\(fault)")
                #expect(try Tally(db).sessionCount == 48 && Tally(db).generation > 0, "\(fault)")
                try db.close()
            } else {
                #expect(try Data(contentsOf: URL(filePath: path)) == former, "\(fault)")
            }
            fault.successes += 1
        }
        // The last run has no fault.
        #expect(fault.successes > 5)
    }
}
