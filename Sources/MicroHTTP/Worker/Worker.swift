internal import CMicroHTTPD
internal import Glibc
internal import Logging

/// One event loop: a thread, a libmicrohttpd daemon without a thread of its own, and the requests of its connections.
///
/// libmicrohttpd's own threads lose wake-ups when many requests are suspended and resumed, and an external loop does
/// not. All of a worker but its mailbox belongs to the thread that runs it.
final class Worker {
    enum Stage: Equatable {
        case serving
        /// No client is accepted any more; requests in flight may finish until then.
        case draining(until: Instant)
        /// Those that still waited have been told that the server stops; their bytes may be sent until then.
        case flushing(until: Instant)
        case ended
    }

    /// How long the last answers may take to be sent once the grace has passed.
    static let flushTime = Duration.seconds(1)

    /// The way in for other threads.
    let mailbox: Mailbox
    let application: any Application
    let configuration: ServerConfiguration
    let logger: Logger

    var stage = Stage.serving
    /// Requests whose line was read and that are not completed, wherever they stand.
    var activeRequests = 0
    /// Requests whose connections are suspended, by their exchange.
    var waiting: [ObjectIdentifier: Flight] = [:]

    private let socket: ListenSocket
    private let poller: Poller
    private let libraryLog: LibraryLog
    private let logSink: UnsafeMutablePointer<microhttp_log_sink>
    private var alarms = Alarms()
    private var openConnections: UInt32 = 0
    private var daemon: OpaquePointer?

    init(
        socket: ListenSocket,
        application: any Application,
        configuration: ServerConfiguration,
        logger: Logger
    ) throws(ServerError) {
        self.socket = socket
        self.application = application
        self.configuration = configuration
        self.logger = logger
        mailbox = try Mailbox()
        poller = try Poller()
        libraryLog = LibraryLog(logger: logger)
        logSink = .allocate(capacity: 1)
        logSink.initialize(
            to: microhttp_log_sink(
                write: writeLibraryLog,
                context: Unmanaged.passUnretained(libraryLog).toOpaque()
            )
        )
        try startDaemon()
    }

    deinit {
        end()
        logSink.deallocate()
    }

    private func startDaemon() throws(ServerError) {
        var settings = microhttp_settings()
        settings.listen_socket = socket.descriptor
        settings.connection_limit = UInt32(clamping: configuration.connectionLimit / configuration.workerCount)
        settings.idle_timeout_seconds = UInt32(clamping: configuration.idleTimeoutSeconds)
        settings.memory_per_connection_bytes = configuration.perConnectionMemoryBytes
        settings.context = Unmanaged.passUnretained(self).toOpaque()
        settings.access = continueFlight
        settings.target = beginFlight
        settings.completed = endFlight
        settings.log = logSink
        guard let daemon = microhttp_start(&settings) else { throw .libraryRefused }
        self.daemon = daemon
        try poller.add(microhttp_epoll_descriptor(daemon), edgeTriggered: false)
        try poller.add(mailbox.descriptor, edgeTriggered: true)
    }

    /// Serves until told to stop. This is all the thread does.
    func run() {
        while stage != .ended {
            handleMessages()
            fireAlarms()
            let hasClosed = runLibrary()
            advanceStop()
            if stage != .ended, !hasClosed {
                poller.wait(milliseconds: sleepLimit())
            }
        }
        end()
    }

    /// Has libmicrohttpd read, write, accept and close; whether connections were closed.
    ///
    /// A worker that was full accepts again only in the library's next turn. Its descriptor does not tell of clients
    /// in the backlog until then, so after connections were closed there has to be another turn before sleeping.
    private func runLibrary() -> Bool {
        MHD_run(daemon)
        let before = openConnections
        openConnections = microhttp_open_connections(daemon)
        return openConnections < before
    }

    private func handleMessages() {
        for message in mailbox.drain() {
            switch message {
            case .resume(let exchange): resume(exchange)
            case .timer(let alarm): alarms.add(alarm)
            case .stop(let deadline): beginStop(until: deadline)
            }
        }
    }

    /// Lets libmicrohttpd come back to a suspended request. An exchange that is not waiting here is left alone, as
    /// resuming a connection that is not suspended would cut its next wait short.
    private func resume(_ exchange: Exchange) {
        guard let flight = waiting.removeValue(forKey: ObjectIdentifier(exchange)) else { return }
        MHD_resume_connection(flight.connection)
    }

    private func fireAlarms() {
        let now = Instant.now()
        while let alarm = alarms.popDue(at: now) {
            if !alarm.exchange.isOver {
                alarm.action(alarm.exchange)
            }
        }
    }

    /// How many milliseconds the worker may sleep, or nil for as long as nothing happens.
    private func sleepLimit() -> Int64? {
        let now = Instant.now()
        var limit: Int64?
        var libraryLimit: UInt64 = 0
        if MHD_get_timeout(daemon, &libraryLimit) == MHD_Result.YES {
            limit = Int64(clamping: libraryLimit)
        }
        for moment in [alarms.nextDue, stageDeadline] {
            if let moment {
                limit = min(limit ?? .max, moment.milliseconds(from: now))
            }
        }
        return limit
    }

    // MARK: Stopping

    private var stageDeadline: Instant? {
        switch stage {
        case .serving, .ended: nil
        case .draining(let deadline), .flushing(let deadline): deadline
        }
    }

    /// Whether responses are to close their connections.
    var isStopping: Bool { stage != .serving }

    /// Stops accepting. A second stop can only bring the end nearer.
    private func beginStop(until deadline: Instant) {
        switch stage {
        case .serving:
            _ = MHD_quiesce_daemon(daemon)
            socket.close()
            stage = .draining(until: deadline)
        case .draining(let earlier):
            stage = .draining(until: min(earlier, deadline))
        case .flushing, .ended:
            break
        }
    }

    private func advanceStop() {
        let now = Instant.now()
        switch stage {
        case .serving, .ended:
            break
        case .draining where activeRequests == 0:
            stage = .ended
        case .draining(let deadline):
            guard now >= deadline else { break }
            stage = .flushing(until: now + Worker.flushTime)
            answerWaiting()
        case .flushing(let deadline):
            // A request whose body came in late may have begun to wait since.
            answerWaiting()
            if activeRequests == 0 || now >= deadline {
                stage = .ended
            }
        }
    }

    private func answerWaiting() {
        for flight in waiting.values {
            guard case .responding(let exchange) = flight.stage else { continue }
            exchange.send(application.response(to: .stopping, head: flight.head))
        }
    }

    /// Gives everything back. libmicrohttpd aborts when it is stopped with a suspended connection, so all are resumed.
    private func end() {
        stage = .ended
        mailbox.shut()
        guard let daemon else { return }
        self.daemon = nil
        _ = MHD_quiesce_daemon(daemon)
        for flight in waiting.values {
            MHD_resume_connection(flight.connection)
        }
        waiting = [:]
        MHD_stop_daemon(daemon)
        socket.close()
    }
}
