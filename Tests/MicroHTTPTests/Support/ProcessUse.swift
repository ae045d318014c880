import Foundation
import Glibc

/// What this process uses, for tests that run in a separate process.
enum ProcessUse {
    /// The number of open descriptors.
    static func descriptors() throws -> Int {
        // The listing itself has one open.
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count - 1
    }

    /// How many descriptors may be open once a server has raised the limit.
    static var descriptorLimit: Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_max)
    }

    /// The processor time used so far, in seconds.
    static var processorSeconds: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// The bytes of memory the process holds, used or kept for use.
    static var residentBytes: Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * sysconf(CInt(_SC_PAGESIZE)) : 0
    }

    /// The bytes that are allocated and not freed, as glibc counts them; nil with another allocator.
    ///
    /// The header that declares the call is not part of the Glibc module, so it is looked up by its name.
    static var allocatedBytes: Int? {
        typealias MallocInfo = @convention(c) (CInt, UnsafeMutablePointer<FILE>) -> CInt
        guard let symbol = dlsym(nil, "malloc_info") else { return nil }
        var text: UnsafeMutablePointer<CChar>?
        var size = 0
        guard let stream = open_memstream(&text, &size) else { return nil }
        let result = unsafeBitCast(symbol, to: MallocInfo.self)(0, stream)
        fclose(stream)
        defer { free(text) }
        // The totals over all arenas come last.
        guard result == 0, let text, let totals = String(cString: text).components(separatedBy: "</heap>").last,
            let system = bytes(of: "system type=\"current\"", in: totals)
        else { return nil }
        let free = ["fast", "rest"].compactMap { bytes(of: "total type=\"\($0)\"", in: totals) }
        return system + (bytes(of: "total type=\"mmap\"", in: totals) ?? 0) - free.reduce(0, +)
    }

    private static func bytes(of element: String, in xml: String) -> Int? {
        guard let start = xml.range(of: element)?.upperBound,
            let size = xml[start...].range(of: "size=\"")?.upperBound
        else { return nil }
        return Int(xml[size...].prefix { $0 != "\"" })
    }
}
