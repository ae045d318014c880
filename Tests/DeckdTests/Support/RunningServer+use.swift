import Foundation
import Glibc

extension RunningServer {
    /// The number of sockets that the server has open: those it listens on, and its clients'. Files and timers are opened
    /// when they are first needed, so they say nothing of clients.
    var socketCount: Int { descriptors["socket"] ?? 0 }

    /// How many descriptors of each kind the server has open; the kind of a file is its path.
    var descriptors: [String: Int] {
        let folder = "/proc/\(child.id)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // A descriptor that was closed since has no target.
        let targets = names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
        return Dictionary(targets.map { (String($0.prefix { $0 != ":" }), 1) }, uniquingKeysWith: +)
    }

    /// The names of the server's threads.
    var threadNames: [String] {
        let folder = "/proc/\(child.id)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // A thread that ended since the folder was read has no name anymore.
        let names = threads.compactMap { try? String(contentsOfFile: "\(folder)/\($0)/comm", encoding: .utf8) }
        return names.map { $0.trimmingCharacters(in: .newlines) }
    }

    /// The bytes of memory that the server holds, used or kept for use.
    var residentBytes: Int {
        let fields = (try? String(contentsOfFile: "/proc/\(child.id)/statm", encoding: .utf8))?.split(separator: " ")
        return fields.flatMap { $0.count > 1 ? Int($0[1]) : nil }.map { $0 * sysconf(CInt(_SC_PAGESIZE)) } ?? 0
    }

    /// The same once it has not changed for half a second, or after ten seconds.
    func settledResidentBytes() -> Int {
        let deadline = ContinuousClock.now + .seconds(10)
        var (bytes, start) = (residentBytes, ContinuousClock.now)
        while ContinuousClock.now < min(deadline, start + .milliseconds(500)) {
            usleep(20_000)
            let now = residentBytes
            if now != bytes { (bytes, start) = (now, .now) }
        }
        return bytes
    }

    /// Lets the server write no file beyond a size, as if the disk were full; nil: it may again.
    func limitFiles(to bytes: Int?) throws {
        let limit = bytes.map { "\($0)" } ?? "unlimited"
        let result = try Command.run("/usr/bin/env", ["prlimit", "--pid", "\(child.id)", "--fsize=\(limit):"])
        guard result.status == 0 else { throw Failure(description: "no limit: \(result)") }
    }

    /// Waits until the number of sockets is as wanted, and returns whether it became so within a minute.
    func waitForSockets(until isWanted: (Int) -> Bool) -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while !isWanted(socketCount) {
            guard ContinuousClock.now < deadline else {
                print("open: \(descriptors)")
                return false
            }
            usleep(10_000)
        }
        return true
    }
}
