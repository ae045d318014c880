import Foundation
import Glibc
import JournalTesting

/// Processor time, which does not depend on what else the machine does.
enum ProcessorTime {
    /// The seconds that a process has used; 0: it has ended.
    static func seconds(of process: Int) -> Double {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return 0 }
        // The name ends there. The eleventh and the twelfth number after the state are the user's and the system's time.
        let fields = text[end...].split(separator: " ")
        let ticks = fields.count > 13 ? [fields[12], fields[13]].compactMap { Double($0) }.reduce(0, +) : 0
        return ticks / Double(sysconf(CInt(_SC_CLK_TCK)))
    }

    /// The seconds that the calling thread has used.
    static func secondsOfThread() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension RunningServer {
    /// The milliseconds that each thread of the server has used, by its number.
    var threadMilliseconds: [String: Double] {
        let folder = "/proc/\(child.id)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let times = threads.map { thread in
            let text = try? String(contentsOfFile: "\(folder)/\(thread)/schedstat", encoding: .utf8)
            return (thread, (text?.split(separator: " ").first).flatMap { Double($0) }.map { $0 / 1e6 } ?? 0)
        }
        return Dictionary(times) { $1 }
    }
}

extension Nodes {
    /// The seconds of processor time that the nodes and the server of their databases have used. The connections of the nodes
    /// must stay the same meanwhile.
    func processorSeconds() throws -> Double {
        let connections = try PostgreSQLServer.run("SELECT pid FROM pg_stat_activity", at: addresses[0])
        let processes = connections.split(separator: "\n").compactMap { Int($0) } + servers.map { Int($0.child.id) }
        return processes.map(ProcessorTime.seconds).reduce(0, +)
    }
}
