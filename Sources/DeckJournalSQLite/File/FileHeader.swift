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
        let handle = try Self.open(path)
        defer { try? handle.close() }
        let bytes = try handle.read(upToCount: Self.byteCount).map(Array.init) ?? []
        guard bytes.count == Self.byteCount, bytes.starts(with: Self.magic) else {
            throw JournalError.damaged("it does not begin as a journal does")
        }
        format = Self.integer(bytes[60..<64])
        applicationID = Self.integer(bytes[68..<72])
    }

    private static func open(_ path: String) throws -> FileHandle {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw JournalError.unavailable("\(path): \(String(cString: strerror(errno)))")
        }
        return handle
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Refuses a file that is another program's or a later version's.
    func check(_ path: String) throws {
        guard applicationID == JournalSchema.applicationID else {
            throw JournalError.foreign("\(path) is an SQLite file, but another program's")
        }
        guard (1...JournalSchema.format).contains(format) else {
            throw JournalError.unsupportedFormat(version: format)
        }
    }
}
