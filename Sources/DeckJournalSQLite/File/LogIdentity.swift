import DeckJournal
import Glibc

/// Identifies the write-ahead log that SQLite has open. SQLite truncates the log, and removes it only when it closes the file.
struct LogIdentity: Sendable {
    let path: String
    private let device: dev_t
    private let number: ino_t

    /// - Parameter file: the journal's file, whose log is there.
    init(of file: String) throws(JournalError) {
        path = file + "-wal"
        var status = stat()
        guard stat(path, &status) == 0 else { throw .unavailable("\(path): \(String(cString: strerror(errno)))") }
        (device, number) = (status.st_dev, status.st_ino)
    }

    /// Whether its path still names it. No other file has its number as long as SQLite has it open.
    var hasItsName: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_dev == device && status.st_ino == number
    }
}
