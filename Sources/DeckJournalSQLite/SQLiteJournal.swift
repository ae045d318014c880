public import DeckJournal
import Foundation

/// A journal in a file of SQLite's.
///
/// What is kept is on the disk before it is completed, with the write-ahead log and full synchronisation. Changes are
/// made by one thread in groups, reading is done by others.
public final class SQLiteJournal: Journal {
    /// How much was written.
    public struct Statistics: Sendable, Hashable {
        /// Transactions, each with one wait for the disk.
        public var transactions: Int
        /// Changes that were in them.
        public var changes: Int
        /// Changes that failed because of the disk or the file.
        public var failures: Int
    }

    let writer: Writer
    let readers: Readers
    private let closing = Closing()

    /// Opens a file; makes it if there is none.
    ///
    /// How long that takes does not depend on how much the file holds. A file that is damaged, of a later format or
    /// another program's is left as it is.
    public convenience init(path: String) throws(JournalError) {
        // With SQLite's default, a quarter of this, every few groups of commits would have to wait for a checkpoint.
        try self.init(path: path, pagesToCheckpoint: 4000)
    }

    /// - Parameter pagesToCheckpoint: how many pages of the write-ahead log bring about that it is moved into the file.
    package init(path: String, pagesToCheckpoint: Int) throws(JournalError) {
        let file = JournalFile(path: path, pagesToCheckpoint: pagesToCheckpoint)
        let lock = try file.lock()
        let writer = Writer(queue: try file.openForWriting(), file: file)
        readers = try Readers(of: file) { writer.noticeDamage($0) }
        self.writer = writer
        start(holding: lock)
    }

    deinit {
        writer.inbox.close()
    }

    /// How much was written since the journal was opened.
    public var statistics: Statistics {
        let statistics = writer.statistics
        return Statistics(
            transactions: statistics.transactions,
            changes: statistics.changes,
            failures: statistics.failures
        )
    }

    /// Starts the thread that writes. It holds what it needs, and not the journal, so that one that is dropped closes.
    private func start(holding lock: FileLock) {
        let writer = writer
        let readers = readers
        let closing = closing
        let thread = Thread {
            writer.run()
            readers.close()
            writer.close()
            lock.release()
            closing.finish()
        }
        thread.name = "journal writer"
        thread.start()
    }

    /// Completes all that was accepted, and then closes.
    public func close(completion: @escaping JournalCompletion<Void>) {
        closing.wait(completion)
        writer.inbox.close()
    }

    /// Reads the counts, or, if the last changes could not be kept, writes where it changes nothing.
    public func check(completion: @escaping JournalCompletion<Void>) {
        if let damage = writer.damage { return completion(.failure(damage)) }
        if writer.hasFailed { return tryWriting(completion) }
        counts { completion($0.map { _ in }) }
    }

    /// Adds an observer, which is called on the thread that writes.
    public func onWrite(_ observer: @escaping @Sendable (JournalWrite) -> Void) {
        writer.addObserver(ofWrites: observer)
    }

    /// Adds an observer, which is called on the thread that writes.
    public func onNewVerdicts(_ observer: @escaping @Sendable (VerdictCursor) -> Void) {
        writer.addObserver(observer)
    }
}
