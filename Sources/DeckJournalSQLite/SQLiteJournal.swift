public import DeckJournal
import Foundation

/// A journal in an SQLite file.
///
/// A change is on the disk before it completes: the file uses the write-ahead log and full synchronization. One thread
/// makes changes in groups, other threads read.
public final class SQLiteJournal: Journal {
    let writer: Writer
    let readers: Readers
    private let closing = Closing()

    /// Opens a file, or creates it if there is none.
    ///
    /// The duration does not depend on the size of the file. A file that is damaged, of a later format or of another
    /// program is not changed.
    ///
    /// For the whole process SIGXFSZ is ignored from then on, so that a limit on the size of files is an error like a full
    /// disk.
    public convenience init(path: String, options: JournalOptions = JournalOptions()) throws(JournalError) {
        // With SQLite's default, half of this, twice as many groups of changes would have to wait for a checkpoint. With
        // much more, each would wait longer than a step of housekeeping may take.
        try self.init(path: path, options: options, pagesToCheckpoint: 2000)
    }

    /// - Parameters:
    ///   - pagesToCheckpoint: after how many pages the write-ahead log is moved into the file.
    ///   - logLimit: how large the write-ahead log may become before it is truncated.
    ///   - entriesToFold: the number of entries above which housekeeping moves them into the sessions' rows, if they are of few
    ///     sessions.
    ///   - mustExist: whether a file that is missing or empty is refused. Otherwise it is made.
    package init(
        path: String,
        options: JournalOptions = JournalOptions(),
        pagesToCheckpoint: Int = 2000,
        entriesToFold: Int = 32_768,
        logLimit: Int = 64 << 20,
        mustExist: Bool = false
    ) throws(JournalError) {
        signal(SIGXFSZ, SIG_IGN)
        let file = JournalFile(
            path: path,
            pagesToCheckpoint: pagesToCheckpoint,
            foldLimit: FoldLimit(entries: entriesToFold, bytes: 32 << 20),
            logLimit: logLimit
        )
        let lock = try mustExist ? FileLock(path: file.path) : file.lock()
        let writer = try Writer(try file.openForWriting(), file: file, lock, options: options)
        readers = try Readers(of: file, through: writer.gate) { writer.noticeDamage($0) }
        self.writer = writer
        start()
    }

    deinit {
        writer.queue.close()
    }

    /// Starts the thread that writes. It retains what it needs, and not the journal, so that a journal that is released closes.
    private func start() {
        let writer = writer
        let readers = readers
        let closing = closing
        startThread("journal writer") {
            writer.run()
            readers.close()
            writer.close()
            closing.finish()
        }
    }

    /// Completes everything that was accepted, and then closes.
    public func close(completion: @escaping JournalCompletion<Void>) {
        closing.wait(completion)
        writer.queue.close()
    }

    /// Reads the counts if the last change was saved. Otherwise, and before the first change, writes test data, because a file can
    /// also be opened and read on a full disk.
    public func check(completion: @escaping JournalCompletion<Void>) {
        writer.checkNames()
        if let damage = writer.damage { return completion(.failure(damage)) }
        guard writer.activity.isWritable else { return tryWriting(completion) }
        counts { completion($0.map { _ in }) }
    }

    /// Measurements since the journal was opened.
    public var statistics: JournalStatistics {
        var statistics = JournalStatistics()
        writer.measure(&statistics)
        statistics.fileBytes = fileSize(writer.path)
        statistics.walBytes = fileSize(writer.path + "-wal")
        return statistics
    }

    /// The generation of the file.
    public func generation(of database: Int) -> Int { writer.generation }
}

/// Only this process writes to the file, so the only news are the sessions that housekeeping has ended.
extension SQLiteJournal: ObservedJournal {
    package var activity: JournalActivity { writer.activity }
}
