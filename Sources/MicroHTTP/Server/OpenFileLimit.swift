internal import Glibc

/// The limit on open files of the process.
enum OpenFileLimit {
    /// The descriptors of a worker beside its connections.
    private static let filesOfWorker: rlim_t = 5
    /// Those of the rest of the program: files, connections to databases, and those of a second server.
    private static let otherFiles: rlim_t = 400

    /// Raises the soft limit to what a server needs, or to the hard limit if that is lower.
    ///
    /// - Returns: how many connections the server can have within the limit, one for each worker at least.
    static func raise(for configuration: ServerConfiguration) -> (connections: Int, openFiles: Int) {
        let wanted = configuration.connectionLimit
        let ofWorkers = rlim_t(configuration.workerCount) * filesOfWorker
        let needed = rlim_t(wanted) + ofWorkers + otherFiles
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < needed else { return (wanted, Int(needed)) }
        let before = limit.rlim_cur
        limit.rlim_cur = min(needed, limit.rlim_max)
        let allowed = setrlimit(resource, &limit) == 0 ? limit.rlim_cur : before
        // Half of a low limit is left for connections.
        let others = min(ofWorkers + otherFiles, allowed / 2)
        return (min(wanted, max(configuration.workerCount, Int(allowed - others))), Int(allowed))
    }
}
