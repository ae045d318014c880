import Locking

/// Prevents that a failed transaction takes effect after a crash.
///
/// If the whole transaction was written and only the wait for the disk failed, it is in the write-ahead log behind the log's
/// end, and would become a part of the log after a crash. The next transaction is written over it. So there must be one
/// before the failure is reported. It need not be on the disk, only in the file as the kernel shows it. So it does not wait
/// for the disk: such a wait has just failed, and may fail again.
final class Fence: Sendable {
    /// Changes the file without changing its data.
    static let statement = "UPDATE tally SET fences = fences + 1"

    private let pagesToCheckpoint: Int
    private let isPut = Lock(false)

    init(pagesToCheckpoint: Int) {
        self.pagesToCheckpoint = pagesToCheckpoint
    }

    /// Makes every transaction wait until it is on the disk.
    static func makeDurable(_ db: Connection, pagesToCheckpoint: Int) throws {
        try db.execute("PRAGMA synchronous = FULL")
        try db.execute("PRAGMA wal_autocheckpoint = \(pagesToCheckpoint)")
    }

    /// Writes over the failed transaction. Returns false if that failed, too: the transaction may take effect after a crash.
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

    /// Makes transactions and checkpoints wait for the disk again. As long as this fails, there must be none.
    func remove(from db: Connection) throws {
        guard isPut.withLock({ $0 }) else { return }
        try Self.makeDurable(db, pagesToCheckpoint: pagesToCheckpoint)
        isPut.withLock { $0 = false }
    }
}
