internal import SteadyClock
internal import CMicroHTTPD
internal import Glibc
public import Logging
internal import Locking

/// An HTTP/1.1 server: workers on one port that hand requests to an application.
///
/// A server is started once and stopped once. A running server that is released stops without a grace period.
public final class Server: Sendable {
    private struct State {
        var hasStarted = false
        var address: BoundAddress
        var connectionLimit: Int
        var mailboxes: [Mailbox] = []
        var threads: [pthread_t] = []
    }

    private let configuration: ServerConfiguration
    private let application: any Application
    private let logger: Logger
    private let budget: ResponseBudget
    private let state: Lock<State>
    /// The threads that were not joined yet. The lock is held while they are joined, so that a second stop waits, too.
    private let unjoined = Lock<[pthread_t]>([])

    /// Prepares a server; nothing happens until ``start()``.
    public init(
        configuration: ServerConfiguration,
        application: any Application,
        logger: Logger = Logger(label: "microhttp")
    ) {
        self.configuration = configuration
        self.application = application
        self.logger = logger
        budget = ResponseBudget(limitBytes: configuration.responseBytes)
        let address = BoundAddress(host: configuration.host, port: configuration.port)
        state = Lock(State(address: address, connectionLimit: configuration.connectionLimit))
    }

    deinit {
        stop(grace: .zero)
    }

    /// Where the server listens; before the start, what the configuration says.
    public var address: BoundAddress {
        state.withLock { $0.address }
    }

    /// The version of the libmicrohttpd that is linked, for instance `0.9.75`.
    public static var libraryVersion: String {
        MHD_get_version().map { String(cString: $0) } ?? "unknown"
    }

    /// The limits of a server and how much of them is used.
    public struct Capacity: Sendable, Equatable {
        /// The most open connections, which can be fewer than those of the configuration; see
        /// ``ServerConfiguration/connectionLimit``.
        public var connections = 0
        /// The bytes of responses that wait to be sent, see ``ServerConfiguration/responseBytes``.
        public var waitingResponseBytes = 0
        /// The most such bytes.
        public var responseBytes = 0

        /// All zero.
        public init() {}
    }

    /// The limits of the server and how much of them is used now.
    public var capacity: Capacity {
        let workers = configuration.workerCount
        var capacity = Capacity()
        capacity.connections = state.withLock { $0.connectionLimit } / workers * workers
        capacity.waitingResponseBytes = budget.usedBytes
        capacity.responseBytes = configuration.responseBytes
        return capacity
    }

    /// Opens the sockets and starts the workers; returns once clients can connect.
    ///
    /// For the whole process SIGPIPE is ignored from then on, and the soft limit on open files is raised when the
    /// connection limit needs it.
    public func start() throws(ServerError) {
        do {
            try state.withLock { state throws(ServerError) in try start(&state) }
        } catch .alreadyStarted {
            throw .alreadyStarted
        } catch {
            // If a thread could not be started, those before it run already.
            stop(grace: .zero)
            throw error
        }
    }

    private func start(_ state: inout State) throws(ServerError) {
        guard !state.hasStarted else { throw .alreadyStarted }
        // Their descriptors are closed when they are released.
        let inherited = configuration.inheritedSockets.map { ListenSocket(descriptor: $0) }
        try configuration.validate()
        guard configuration.tls == nil || MHD_is_feature_supported(MHD_FEATURE.FEATURE_TLS) == MHD_Result.YES else {
            throw .tlsUnavailable
        }
        signal(SIGPIPE, SIG_IGN)
        logPanics(to: logger)
        state.connectionLimit = raiseOpenFileLimit()
        let (sockets, address) = try openSockets(or: inherited)
        for socket in sockets { try socket.limitUnsentBytes() }
        // The header of a proxy is read when a connection is accepted.
        if !configuration.proxyHeaderPeers.isEmpty {
            for socket in sockets { try socket.deferAccepting(seconds: configuration.requestTimeoutSeconds) }
        }
        let workers = try makeWorkers(sockets, connectionLimit: state.connectionLimit)
        state.hasStarted = true
        state.address = BoundAddress(host: address.host, port: address.port, isSecure: configuration.tls != nil)
        for worker in workers {
            let thread = try startThread(worker)
            state.mailboxes.append(worker.mailbox)
            state.threads.append(thread)
            unjoined.withLock { $0.append(thread) }
        }
    }

    /// Raises the limit on open files. Returns how many connections it allows.
    private func raiseOpenFileLimit() -> Int {
        let (connections, openFiles) = OpenFileLimit.raise(for: configuration)
        if connections < configuration.connectionLimit {
            logger.warning(
                """
                \(openFiles) open files are allowed, too few for \(configuration.connectionLimit) connections: the limit is \
                \(connections)
                """
            )
        }
        return connections
    }

    private func openSockets(
        or inherited: [ListenSocket]
    ) throws(ServerError) -> (sockets: [ListenSocket], address: BoundAddress) {
        guard inherited.isEmpty else {
            return try ListenSocket.adopt(inherited, count: configuration.workerCount)
        }
        return try ListenSocket.open(
            host: configuration.host,
            port: configuration.port,
            count: configuration.workerCount,
            backlog: configuration.backlog
        )
    }

    private func makeWorkers(_ sockets: [ListenSocket], connectionLimit: Int) throws(ServerError) -> [Worker] {
        var configuration = configuration
        configuration.connectionLimit = connectionLimit
        let limit = configuration.connectionsPerAddress
        let counts = limit > 0 ? AddressCounts(limit: limit) : nil
        var credentials: TLSCredentials?
        if let tls = configuration.tls { credentials = try TLSCredentials(tls) }
        var workers: [Worker] = []
        for (number, socket) in sockets.enumerated() {
            workers.append(
                try Worker(
                    number: number,
                    socket: socket,
                    application: application,
                    configuration: configuration,
                    credentials: credentials,
                    addressCounts: counts,
                    responseBudget: budget,
                    logger: logger
                )
            )
        }
        return workers
    }

    /// Replaces the certificate and the key for new connections. Open connections keep theirs.
    ///
    /// - Returns: when the certificate expires, in seconds since 1970.
    /// - Throws: `tlsRefused` if they cannot be used, or if the server was started without TLS; nothing has changed then.
    @discardableResult
    public func replaceIdentity(with identity: TLSIdentity) throws(ServerError) -> Int {
        guard configuration.tls != nil else { throw .tlsRefused(reason: "the server was started without TLS") }
        let credentials = try TLSCredentials(identity)
        for mailbox in state.withLock({ $0.mailboxes }) { mailbox.post(.present(credentials)) }
        return credentials.expirySeconds
    }

    /// Calls back when every worker has completed a turn of its loop or has stopped, one after the other. The call comes on the
    /// thread of the last worker. If all workers had stopped before, it comes at once, on the caller's thread.
    ///
    /// There is no call if a worker hangs, or if the server has not started.
    public func afterATurnOfEachWorker(_ answer: @escaping @Sendable () -> Void) {
        let mailboxes = state.withLock { $0.mailboxes }
        guard !mailboxes.isEmpty else { return }
        pass(mailboxes[...], answer)
    }

    /// Stops the server and returns when its threads have ended.
    ///
    /// No client is accepted any more. Requests in flight may finish within `grace`, and so may those that still come over idle
    /// connections. When a worker has no request any more, it closes its idle connections and ends. Requests that still wait after
    /// the grace period get the application's response to ``Refusal/stopping``. Connections that have not sent everything a second
    /// later are cut off. Streams with closing bytes end with these at once, and others may end within the grace period.
    ///
    /// It may be called from any thread and any number of times, also before the start. A later call waits as well, and can
    /// only shorten the grace period. On the thread of a worker, which cannot wait for itself, it starts the stop and returns.
    public func stop(grace: Duration) {
        let deadline = SteadyTime.now() + grace
        let (mailboxes, threads) = state.withLock { ($0.mailboxes, $0.threads) }
        for mailbox in mailboxes {
            mailbox.post(.stop(until: deadline))
        }
        guard !threads.contains(where: { pthread_equal($0, pthread_self()) != 0 }) else { return }
        unjoined.withLock { unjoined in
            for thread in unjoined {
                pthread_join(thread, nil)
            }
            unjoined = []
        }
    }
}

/// Goes from one worker to the next, and calls back after the last.
private func pass(_ mailboxes: ArraySlice<Mailbox>, _ answer: @escaping @Sendable () -> Void) {
    guard let mailbox = mailboxes.first else { return answer() }
    // A worker that has stopped takes no messages.
    if !mailbox.post(.call { pass(mailboxes.dropFirst(), answer) }) { pass(mailboxes.dropFirst(), answer) }
}

/// Starts a thread that runs the worker and owns it from then on.
private func startThread(_ worker: Worker) throws(ServerError) -> pthread_t {
    let retained = Unmanaged.passRetained(worker)
    // The other threads of the program handle signals.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, runWorker, retained.toOpaque())
    guard code == 0 else {
        retained.release()
        throw .system(call: "pthread_create", code: code)
    }
    return thread
}

private func runWorker(_ worker: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    microhttp_name_thread("microhttp")
    if let worker {
        Unmanaged<Worker>.fromOpaque(worker).takeRetainedValue().run()
    }
    return nil
}
