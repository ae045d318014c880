import DeckJournal
import Foundation

/// The header of a file. It is read without SQLite, which can change a file that it opens.
struct FileHeader {
    var applicationID: Int
    var format: Int

    private static let byteCount = 100
    /// How every file of SQLite's begins; https://www.sqlite.org/fileformat.html section 1.3.
    private static let magic = Array("SQLite format 3\0".utf8)

    init(applicationID: Int, format: Int) {
        self.applicationID = applicationID
        self.format = format
    }

    init(path: String) throws {
        guard let header = Self(try Self.firstBytes(of: path)) else {
            throw JournalError.damaged("it does not begin as a journal does")
        }
        self = header
    }

    /// - Parameter bytes: the first bytes of a file; nil is returned if it is not SQLite's.
    private init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, bytes.starts(with: Self.magic) else { return nil }
        format = Self.integer(bytes[60..<64])
        applicationID = Self.integer(bytes[68..<72])
    }

    /// The bytes of a header, or fewer if the file is shorter.
    private static func firstBytes(of path: String) throws(JournalError) -> [UInt8] {
        func failure() -> JournalError { .unavailable("\(path): \(String(cString: strerror(errno)))") }
        // A pipe would make it wait for somebody who writes.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure() }
        try requireFile(status, at: path)
        var bytes = [UInt8](repeating: 0, count: byteCount)
        let count = read(descriptor, &bytes, byteCount)
        guard count >= 0 else { throw failure() }
        return Array(bytes.prefix(count))
    }

    /// Refuses what has a name in a folder but is not a file, such as a device.
    static func requireFile(_ status: stat, at path: String) throws(JournalError) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: throw .unavailable("\(path): \(String(cString: strerror(EISDIR)))")
        default: throw .unavailable("\(path) is not a file")
        }
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Whether a file can be a copy of a journal, complete or not: SQLite writes the first page last.
    static func canBeOfCopy(_ path: String) throws(JournalError) -> Bool {
        let bytes = try firstBytes(of: path)
        return bytes.allSatisfy { $0 == 0 } || Self(bytes)?.applicationID == JournalSchema.applicationID
    }

    /// Refuses a file that is another program's or a later version's.
    func refuseForeign(_ path: String) throws {
        guard applicationID == JournalSchema.applicationID else {
            throw JournalError.foreign("\(path) is an SQLite file, but another program's")
        }
        guard (1...JournalSchema.format).contains(format) else {
            throw JournalError.unsupportedFormat(version: format)
        }
    }

    /// Refuses a file that is not a journal which this version can read.
    static func check(fileAt path: String) throws(JournalError) {
        do {
            try FileHeader(path: path).refuseForeign(path)
        } catch {
            throw error as? JournalError ?? .unavailable("\(path): \(error)")
        }
    }
}
