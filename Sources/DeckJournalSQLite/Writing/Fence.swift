import Locking

/// Keeps a transaction that failed from coming back.
///
/// If all of it was written and only the wait for the disk failed, it stands in the write-ahead log beyond the log's
/// end, and would become a part of it after a crash. The next transaction is written over it, so there must be one
/// before the failure is reported. Whether the disk takes that one does not matter: it only has to be in the file
/// that the kernel shows. So it does not wait for the disk, because such a wait just failed and may fail again.
final class Fence: Sendable {
    /// Changes the file without changing its data.
    static let statement = "UPDATE tally SET fences = fences + 1"

    private let pagesToCheckpoint: Int
    private let isPut = Lock(false)

    init(pagesToCheckpoint: Int) {
        self.pagesToCheckpoint = pagesToCheckpoint
    }

    /// Has every transaction wait until the disk has it.
    static func makeDurable(_ db: Connection, pagesToCheckpoint: Int) throws {
        try db.execute("PRAGMA synchronous = FULL")
        try db.execute("PRAGMA wal_autocheckpoint = \(pagesToCheckpoint)")
    }

    /// Writes over the failed transaction. Returns false if that failed too: the transaction may come back after a crash.
    func put(into db: Connection) -> Bool {
        isPut.withLock { $0 = true }
        do {
            // A checkpoint that does not wait for the disk could lose earlier transactions.
            try db.execute("PRAGMA wal_autocheckpoint = 0")
            try db.execute("PRAGMA synchronous = OFF")
            try db.transaction { try db.execute(Self.statement) }
            try? remove(from: db)
            return true
        } catch {
            try? remove(from: db)
            return false
        }
    }

    /// Has transactions and checkpoints wait for the disk again. As long as that fails, there must be none of them.
    func remove(from db: Connection) throws {
        guard isPut.withLock({ $0 }) else { return }
        try Self.makeDurable(db, pagesToCheckpoint: pagesToCheckpoint)
        isPut.withLock { $0 = false }
    }
}
