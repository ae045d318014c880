import DeckJournal
import FileTesting
import JournalTesting
import Testing

@testable import DeckJournalSQLite

/// While the fence is there, nothing waits for the disk. So it goes before a checkpoint, which could lose what was saved.
struct FenceTests {
    private let folder: TemporaryFolder
    private let connection: Connection
    private let writer: Writer

    /// Puts the fence so that it cannot be removed at once.
    init() throws {
        folder = try TemporaryFolder(isQuick: true)
        let limit = FoldLimit(entries: 1000, bytes: 1 << 20)
        let path = folder.file("journal.sqlite")
        let file = JournalFile(path: path, pagesToCheckpoint: 2000, foldLimit: limit, logLimit: 0)
        let lock = try file.lock()
        connection = try file.openForWriting()
        writer = try Writer(connection, file: file, lock, options: JournalOptions())
        try connection.execute(Fence.statement)
        // SQLite does not change whether it waits for the disk within a transaction.
        try connection.begin()
        #expect(!writer.fence.put(into: connection))
        try connection.rollBack()
        try connection.execute("PRAGMA synchronous = OFF")
    }

    private func waitsForDisk() throws -> Bool {
        try connection.integer("PRAGMA synchronous") == 2
    }

    @Test func theLogIsEmptiedWithoutTheFence() throws {
        var truncation = LogTruncation()
        #expect(fileSize(writer.path + "-wal") > 0)
        _ = try truncation.run(WriterWork(writer, connection, writer.fence), writer)
        #expect(fileSize(writer.path + "-wal") == 0)
        #expect(try waitsForDisk())
    }

    @Test func theFileIsClosedWithoutTheFence() throws {
        writer.queue.close()
        writer.run()
        #expect(try waitsForDisk())
        writer.close()
    }
}
