import Foundation

extension RunningServer {
    /// The milliseconds of processor time that each thread of the server has used, by its number.
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
