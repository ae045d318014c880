import DeckJournal
import DeckJournalSQLite
import FileTesting
import JournalTesting
import Testing

/// A commit whose outcome cannot be found out. One disk at a time can be made to fail, so this is a part of the suite
/// that does so.
extension FaultTests {
    /// The disk fails while it waits for the transaction, and then also refuses what would overwrite it.
    @Test func anUnknownOutcomeIsSettledByARetry() async throws {
        FaultyDisk.install()
        var unknown = 0
        for successes in 0..<24 {
            let fault = Fault(operations: [.write, .sync], successes: successes, lasts: true)
            let folder = try TemporaryFolder(isQuick: true)
            let path = folder.file("journal.sqlite")
            let journal = try SQLiteJournal(path: path)
            var model = Model()
            try await model.create("a", in: journal)
            FaultyDisk.arm(fault, under: folder.path)
            for _ in 0..<4 {
                let (entry, revision) = model.next(of: "a")
                switch await journal.tryAppend(entry, to: "a", after: revision) {
                case .success(let revision): model.follow("a", revision)
                case .failure(let error):
                    #expect(error.isUnavailable || error.isUnknown, "\(fault): \(error)")
                    if error.isUnknown { unknown += 1 }
                    FaultyDisk.disarm()
                    let retried = try await journal.appended(entry, to: "a", after: revision)
                    model.follow("a", retried)
                }
            }
            FaultyDisk.disarm()
            try await model.check(journal, "\(fault)")
            try await journal.closed()
            let reopened = try SQLiteJournal(path: path)
            try await model.check(reopened, "\(fault), reopened")
            try await reopened.closed()
        }
        #expect(unknown > 0)
    }
}
