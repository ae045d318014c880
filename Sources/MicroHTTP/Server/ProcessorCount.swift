internal import CMicroHTTPD
internal import Glibc

/// How many processors this process may use at a time.
enum ProcessorCount {
    /// The processors that the calling thread may run on, but no more than its control groups (cgroups v2) may use; at
    /// least 1.
    static var available: Int {
        let quotas = groups(in: text(of: "/proc/self/cgroup")).compactMap { group in
            quota(in: text(of: "/sys/fs/cgroup\(group)/cpu.max"))
        }
        return max(1, quotas.reduce(allowed, min))
    }

    /// The processors in the affinity mask of the calling thread.
    private static var allowed: Int {
        let count = Int(microhttp_allowed_processors())
        return count > 0 ? count : sysconf(CInt(_SC_NPROCESSORS_ONLN))
    }

    /// The control groups of a process, from its own to the outermost: each limits those in it.
    ///
    /// - Parameter text: that of `/proc/self/cgroup`. The line of version 2 is `0::` and the path.
    static func groups(in text: String) -> [String] {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return [] }
        var path = line.dropFirst(3)
        var groups: [String] = []
        while let end = path.lastIndex(of: "/"), path != "/" {
            groups.append(String(path))
            path = path[..<end]
        }
        return groups + [""]
    }

    /// The whole processors that a group may use; nil: no limit.
    ///
    /// - Parameter text: that of `cpu.max`: microseconds in each period, or `max`, and the period.
    static func quota(in text: String) -> Int? {
        let words = text.split { $0 == " " || $0 == "\n" }
        guard words.count == 2, let time = Int(words[0]), let period = Int(words[1]), time > 0, period > 0 else {
            return nil
        }
        // A part of a processor is one more thread.
        return time / period + (time % period > 0 ? 1 : 0)
    }

    /// The start of a short file; empty if it cannot be read.
    private static func text(of path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
