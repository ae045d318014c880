package import Foundation

/// A folder that is there for as long as this value is.
package final class TemporaryFolder: Sendable {
    /// Where it is.
    package let path: String

    /// - Parameter isQuick: whether it is in memory, if the system has a place for that, so that no disk is waited for.
    package init(isQuick: Bool = false) throws {
        let memory = "/dev/shm"
        let isThere = isQuick && FileManager.default.isWritableFile(atPath: memory)
        let parent = isThere ? URL(filePath: memory) : FileManager.default.temporaryDirectory
        let url = parent.appending(path: "deckd-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in it.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The same path as a URL.
    package func url(_ name: String) -> URL { URL(filePath: file(name)) }
}
