internal import SteadyClock
internal import CMicroHTTPD
internal import Glibc
internal import Logging

/// One event loop: a thread, a libmicrohttpd daemon without a thread, and the requests of its connections.
///
/// libmicrohttpd's own threads lose wake-ups when many requests are suspended and resumed, and an external loop does
/// not. All of a worker but its mailbox belongs to the thread that runs it. So accesses to its properties are not checked at
/// run time.
final class Worker {
    enum Stage: Equatable {
        case serving
        /// No client is accepted any more; requests in flight may finish until then.
        case draining(until: SteadyTime)
        /// The requests that still waited were answered that the server stops; these answers may be sent until then.
        case flushing(until: SteadyTime)
        case ended
    }

    /// How long the last answers may take to be sent once the grace has passed.
    static let flushTime = Duration.seconds(1)

    /// After this time without a request, or without the response, a connection is checked. It is at most the time that a request may take.
    static let lookTime = Duration.seconds(1)

    /// The way in for other threads.
    let mailbox: Mailbox
    let application: any Application
    let configuration: ServerConfiguration
    let logger: Logger

    @exclusivity(unchecked) var stage = Stage.serving
    /// Requests whose request line was read and that are not completed, in any stage.
    @exclusivity(unchecked) var activeRequests = 0
    /// Requests whose connections are suspended, by their exchanges.
    @exclusivity(unchecked) var suspended: [ObjectIdentifier: Flight] = [:]
    /// The readers of streams whose heads were queued and that are not over, by their streams.
    @exclusivity(unchecked) var readers: [ObjectIdentifier: StreamReader] = [:]
    @exclusivity(unchecked) var alarms = Alarms()
    @exclusivity(unchecked) var requestIDs = RequestIDs()
    /// The requests that are answered together.
    @exclusivity(unchecked) var group = RequestGroup(at: .now())
    @exclusivity(unchecked) var pacing = TurnPacing()
    @exclusivity(unchecked) var knownHeads = KnownHeads()
    /// The places of the headers of the last head.
    @exclusivity(unchecked) var fieldPlaces: [RawHead.FieldPlace] = []
    /// Connections whose request must arrive by a deadline; see Worker+connections.swift.
    let arriving = DeadlineQueue(time: Worker.lookTime)
    let receiving: DeadlineQueue
    let resting = DeadlineQueue(time: Worker.lookTime)
    let idle: DeadlineQueue
    /// Connections whose request waits for its response; see Worker+leaving.swift.
    let waiting = DeadlineQueue(time: Worker.lookTime)
    /// nil: there is no limit for each address.
    let addressCounts: AddressCounts?
    /// The budget that all workers share.
    let responseBudget: ResponseBudget
    /// When the current turn started. It is exact enough for deadlines of seconds.
    @exclusivity(unchecked) var turnStart = SteadyTime.now()
    /// The credentials for new connections; nil without TLS.
    @exclusivity(unchecked) private(set) var credentials: TLSCredentials?
    @exclusivity(unchecked) var daemon: OpaquePointer?

    let socket: ListenSocket
    private let number: Int
    let poller: Poller
    private let libraryLog: LibraryLog
    private let logSink: UnsafeMutablePointer<microhttp_log_sink>
    @exclusivity(unchecked) private var openConnections: UInt32 = 0

    init(
        number: Int,
        socket: ListenSocket,
        application: any Application,
        configuration: ServerConfiguration,
        credentials: TLSCredentials?,
        addressCounts: AddressCounts?,
        responseBudget: ResponseBudget,
        logger: Logger
    ) throws(ServerError) {
        self.number = number
        self.socket = socket
        self.application = application
        self.configuration = configuration
        self.logger = logger
        self.credentials = credentials
        self.addressCounts = addressCounts
        self.responseBudget = responseBudget
        let requestTime = Duration.seconds(configuration.requestTimeoutSeconds)
        receiving = DeadlineQueue(time: requestTime - Worker.lookTime)
        idle = DeadlineQueue(time: requestTime + .seconds(configuration.idleTimeoutSeconds) - Worker.lookTime)
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
        settings.connection = followConnection
        settings.log = logSink
        if credentials != nil { settings.retrieve = retrieveIdentity }
        guard let daemon = microhttp_start(&settings) else {
            let reason = libraryLog.startLines?.joined(separator: " ") ?? ""
            throw configuration.tls == nil ? .libraryRefused : .tlsRefused(reason: reason)
        }
        libraryLog.startLines = nil
        self.daemon = daemon
        try poller.add(microhttp_epoll_descriptor(daemon), edgeTriggered: false)
        try poller.add(mailbox.descriptor, edgeTriggered: true)
    }

    /// Serves until a message stops it. The thread does nothing else.
    func run() {
        while stage != .ended {
            turnStart = .now()
            handleMessages()
            fireAlarms()
            cutLateConnections()
            watchLongWaits()
            answerGroupedRequests()
            let hasClosed = runLibrary()
            advanceStop()
            let turnEnd = SteadyTime.now()
            let nanoseconds = turnEnd.nanoseconds(since: turnStart)
            let hasWaiting = group.endTurn(at: turnEnd, inNanoseconds: nanoseconds)
            application.turned(inNanoseconds: nanoseconds, worker: number)
            if stage != .ended, !hasClosed, !hasWaiting {
                poller.wait(milliseconds: sleepLimit(afterTurnOf: nanoseconds), check)
            }
        }
        end()
    }

    /// Lets libmicrohttpd read, write, accept and close. Returns whether connections were closed.
    ///
    /// A worker that was full accepts again only in the library's next turn, and until then its descriptor does not report
    /// clients in the backlog. So after connections were closed there must be another turn before the worker sleeps.
    private func runLibrary() -> Bool {
        let hasClosed = runLibraryOnce()
        return group.hasTaken && runLibraryOnce() || hasClosed
    }

    private func runLibraryOnce() -> Bool {
        MHD_run(daemon)
        let before = openConnections
        openConnections = microhttp_open_connections(daemon)
        return openConnections < before
    }

    private func handleMessages() {
        for message in mailbox.drain() {
            switch message {
            case .resume(let exchange): resume(exchange)
            case .serve(let stream): serve(stream)
            case .abandon(let stream): stream.finish(.dropped)
            case .timer(let alarm): alarms.add(alarm)
            case .present(let others): credentials = others
            case .act(let exchange, let action): run(action, of: exchange)
            case .call(let action): action()
            case .stop(let deadline): beginStop(until: deadline)
            }
        }
    }

    /// Resumes the connection of an exchange, unless it is not suspended: its next wait would then end at once.
    private func resume(_ exchange: Exchange) {
        guard let flight = suspended.removeValue(forKey: ObjectIdentifier(exchange)) else { return }
        MHD_resume_connection(flight.connection)
    }

    /// Runs an action of the application, and resumes the connection if it was answered meanwhile.
    private func run(_ action: @Sendable (Exchange) -> Void, of exchange: Exchange) {
        if exchange.run(action) { resume(exchange) }
    }

    private func fireAlarms() {
        while let alarm = alarms.popDue(at: turnStart) {
            guard !alarm.isStale else { continue }
            switch alarm.call {
            case .exchange(let exchange, let action): run(action, of: exchange)
            case .stream(let stream, let action): action(stream)
            case .heartbeat(let stream): beat(stream)
            case .check(let checked, let seconds): check(checked, after: seconds)
            }
        }
    }

    /// How many milliseconds the worker may sleep; nil: until something happens.
    private func sleepLimit(afterTurnOf nanoseconds: Int) -> Int64? {
        let now = SteadyTime.now()
        var limit: Int64?
        var libraryLimit: UInt64 = 0
        if MHD_get_timeout(daemon, &libraryLimit) == MHD_Result.YES {
            limit = Int64(clamping: libraryLimit)
        }
        if limit == 0 {
            limit = pacing.pauseMilliseconds(afterTurnOf: nanoseconds)
        } else {
            pacing.rest()
        }
        if let moment = earlier(earlier(alarms.nextDue, nextConnectionDue), stageDeadline) {
            limit = min(limit ?? .max, moment.milliseconds(from: now))
        }
        return limit
    }
}
