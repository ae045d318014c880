import Glibc

/// The resources that the process uses, as the kernel reports them.
struct ProcessUse {
    private var cpuSeconds = 0.0
    private var virtualBytes = 0
    private var residentBytes = 0
    /// Seconds since 1970.
    private var startTime = 0.0
    private var openFiles = 0
    private var maximumOpenFiles = 0

    /// Reads the current values. A value that the kernel does not report is 0.
    init() {
        readStatus()
        openFiles = Self.countFiles()
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            maximumOpenFiles = Int(clamping: limit.rlim_cur)
        }
    }

    /// Reads `/proc/self/stat` (proc(5)). The second field, the name of the program, may contain any character, so the fields are
    /// counted from its end.
    private mutating func readStatus() {
        let text = Self.text(of: "/proc/self/stat")
        guard let end = text.lastIndex(of: ")") else { return }
        let fields = text[text.index(after: end)...].split(separator: " ").map { Int($0) ?? 0 }
        // The first of these is the third field.
        guard fields.count > 21 else { return }
        let ticks = Double(max(1, sysconf(CInt(_SC_CLK_TCK))))
        cpuSeconds = Double(fields[11] + fields[12]) / ticks
        startTime = Self.bootTime + Double(fields[19]) / ticks
        virtualBytes = fields[20]
        residentBytes = fields[21] * sysconf(CInt(_SC_PAGESIZE))
    }

    /// When the machine was started, in seconds since 1970. `/proc/stat` has it, too, but a systemd service with
    /// `ProcSubset=pid` cannot read that.
    private static let bootTime = seconds(CLOCK_REALTIME) - seconds(CLOCK_BOOTTIME)

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func countFiles() -> Int {
        var status = stat()
        // Since Linux 6.2 the size of the directory is the number. Before, it is 0, and the entries must be counted.
        if stat("/proc/self/fd", &status) == 0, status.st_size > 0 { return Int(status.st_size) }
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Two entries are `.` and `..`, and one descriptor is open for this listing.
        return max(0, count - 3)
    }

    private static func text(of path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(file, &part, part.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += part.prefix(count)
        }
    }

    func write(to exposition: inout Exposition) {
        exposition.metric("process_cpu_seconds_total", .counter, "Processor time used.")
        exposition.sample(cpuSeconds)
        exposition.metric("process_resident_memory_bytes", .gauge, "Memory in use.", value: residentBytes)
        exposition.metric("process_virtual_memory_bytes", .gauge, "Memory set aside.", value: virtualBytes)
        exposition.metric("process_start_time_seconds", .gauge, "When the process began, in seconds since 1970.")
        exposition.sample(startTime)
        exposition.metric("process_open_fds", .gauge, "Open files.", value: openFiles)
        exposition.metric("process_max_fds", .gauge, "Files that may be open.", value: maximumOpenFiles)
    }
}
