import Foundation

/// A file system in memory with little room, which can be filled. It is mounted in the name spaces of a process that sleeps,
/// so that no privileges are needed. A command must enter them to see it.
final class SmallDisk {
    struct Failure: Error {}

    private let process = Process()
    /// The filler, as this process sees it.
    private let filler: String

    /// - Parameter megabytes: the room.
    init(megabytes: Int) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let script = "mount -t tmpfs -o size=\(megabytes)m tmpfs /mnt && echo ready && exec sleep infinity"
        process.arguments = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script]
        process.standardOutput = output
        try process.run()
        filler = "/proc/\(process.processIdentifier)/root/mnt/filler"
        guard String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "ready\n" else {
            throw Failure()
        }
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    /// The words before a command that shall see the file system.
    var entering: String {
        "nsenter --target \(process.processIdentifier) --user --mount --preserve-credentials"
    }

    /// A file, as such a command sees it.
    func file(_ name: String) -> String {
        "/mnt/\(name)"
    }

    /// Takes all the room.
    func fill() throws {
        let descriptor = open(filler, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw Failure() }
        defer { close(descriptor) }
        let block = [UInt8](repeating: 1, count: 4096)
        while write(descriptor, block, block.count) > 0 {}
        guard errno == ENOSPC else { throw Failure() }
    }

    /// Gives the room back.
    func free() throws {
        try FileManager.default.removeItem(atPath: filler)
    }
}
