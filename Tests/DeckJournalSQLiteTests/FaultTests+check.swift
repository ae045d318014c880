import DeckJournal
import DeckJournalSQLite
import FileTesting
import Foundation
import JournalTesting
import Locking
import Testing

/// Whether the journal can be used, and what it reports of its writing. One disk at a time can be made to fail, so these
/// are a part of the suite that does so.
extension FaultTests {
    @Test(arguments: [[Fault.Operation.write], [.sync]])
    func aJournalThatFailedCanBeUsedAgainWhenTheDiskIsBack(_ operations: [Fault.Operation]) async throws {
        FaultyDisk.install()
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file("journal.sqlite"))
        let writes = Lock<[JournalWrite]>([])
        journal.onWrite { write in writes.withLock { $0.append(write) } }
        var model = Model()
        try await model.create("a", in: journal)
        #expect(await failure { journal.check(completion: $0) } == nil)
        // Nothing is written as long as all goes well.
        #expect(writes.withLock { $0.map(\.isSaved) } == [true])

        FaultyDisk.arm(Fault(operations: operations, successes: 0, lasts: true), under: folder.path)
        let (entry, revision) = model.next(of: "a")
        #expect(await journal.appendError(entry, to: "a", after: revision)?.isUnavailable == true)
        for _ in 0..<3 {
            #expect(await failure { journal.check(completion: $0) }?.isUnavailable == true)
        }
        #expect(writes.withLock { $0.map(\.isSaved) } == [true, false, false, false, false])

        #expect(FaultyDisk.disarm() > 0)
        #expect(await failure { journal.check(completion: $0) } == nil)
        #expect(await failure { journal.check(completion: $0) } == nil)
        #expect(writes.withLock { $0.map(\.isSaved) } == [true, false, false, false, false, true])
        #expect(writes.withLock { $0.allSatisfy { $0.changes == 1 && $0.duration > .zero } })
        try await model.check(journal, "after the disk was back")
        try await journal.closed()
        #expect(await failure { journal.check(completion: $0) } == .closed)
    }
}
