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
        let bytes = try Self.firstBytes(of: path)
        guard bytes.count == Self.byteCount, bytes.starts(with: Self.magic) else {
            throw JournalError.damaged("it does not begin as a journal does")
        }
        format = Self.integer(bytes[60..<64])
        applicationID = Self.integer(bytes[68..<72])
    }

    /// The bytes of a header, or fewer if the file is shorter.
    private static func firstBytes(of path: String) throws(JournalError) -> [UInt8] {
        func failure() -> JournalError { .unavailable("\(path): \(String(cString: strerror(errno)))") }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: byteCount)
        let count = read(descriptor, &bytes, byteCount)
        guard count >= 0 else { throw failure() }
        return Array(bytes.prefix(count))
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

    /// Refuses a file that is not a journal which this version can read.
    static func check(fileAt path: String) throws(JournalError) {
        do {
            try FileHeader(path: path).check(path)
        } catch {
            throw error as? JournalError ?? .unavailable("\(path): \(error)")
        }
    }
}
