import Foundation
import Glibc

extension RunningServer {
    /// The number of descriptors that the server has open.
    var descriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.id)/fd"))?.count ?? 0
    }

    /// The bytes of memory that the server holds, used or kept for use.
    var residentBytes: Int {
        let fields = (try? String(contentsOfFile: "/proc/\(child.id)/statm", encoding: .utf8))?.split(separator: " ")
        return fields.flatMap { $0.count > 1 ? Int($0[1]) : nil }.map { $0 * sysconf(CInt(_SC_PAGESIZE)) } ?? 0
    }

    /// Lets the server write no file beyond a size, as if the disk were full; nil: it may again.
    func limitFiles(to bytes: Int?) throws {
        let limit = bytes.map { "\($0)" } ?? "unlimited"
        let result = try Command.run("/usr/bin/env", ["prlimit", "--pid", "\(child.id)", "--fsize=\(limit):"])
        guard result.status == 0 else { throw Failure(description: "no limit: \(result)") }
    }

    /// Waits until the number of descriptors is as wanted, and returns whether it became so within a minute.
    func waitForDescriptors(until isWanted: (Int) -> Bool) -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while !isWanted(descriptorCount) {
            guard ContinuousClock.now < deadline else { return false }
            usleep(10_000)
        }
        return true
    }
}
