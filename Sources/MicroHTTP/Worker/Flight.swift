internal import SteadyClock
internal import CMicroHTTPD

/// One request on its worker, from its request line to libmicrohttpd's notice of its completion.
///
/// It belongs to the worker's thread, and to the connection, which has one request at a time and uses it again for the
/// next. Its properties change in every step and are never used by two callers at once, so accesses to them are not checked
/// at run time.
final class Flight {
    enum Stage {
        /// The request line was read.
        case began
        /// The body is being read into ``body``.
        case receiving(limit: Int)
        /// The body is being read and dropped; this is the maximum number of bytes.
        case refused(Response, drainLimit: Int)
        /// The request has arrived, and the worker answers it in its next turn.
        case arrived
        /// The application has the request.
        case responding(Exchange)
        /// The application answers in steps, of which the last one has returned this. libmicrohttpd has not asked for the response
        /// yet.
        case stepping(Exchange, Step)
        /// The head of a stream has been queued.
        case streaming(StreamReader)
        /// A response has been queued.
        case answered
    }

    /// Use it only on the worker's thread, and not after completion.
    let connection: OpaquePointer
    /// The connection's client, which retains this.
    @exclusivity(unchecked) unowned(unsafe) var client: ClientConnection?
    @exclusivity(unchecked) private(set) var id = RequestID(high: 0, low: 0)
    @exclusivity(unchecked) private var start = SteadyTime(nanoseconds: 0)
    /// The request target as sent.
    @exclusivity(unchecked) private(set) var rawTarget: [UInt8] = []
    @exclusivity(unchecked) var stage = Stage.began
    @exclusivity(unchecked) var head: RequestHead?
    @exclusivity(unchecked) var body: [UInt8] = []
    @exclusivity(unchecked) var receivedBytes = 0
    /// The status of the answer that was queued.
    @exclusivity(unchecked) var status: Int?
    /// How many bytes of the budget are reserved for the answer.
    @exclusivity(unchecked) var budgetedBytes = 0
    /// The address for which the request counts as a connection, because it came through a proxy.
    @exclusivity(unchecked) var countedAddress: ClientAddress?
    /// See ``RequestReport``.
    @exclusivity(unchecked) var admissionLabel = 0
    @exclusivity(unchecked) var plan: (any RequestPlan)?
    @exclusivity(unchecked) var answerLabel = 0
    @exclusivity(unchecked) var remark: String?
    /// Whether checks of the client were started, for the exchange or for the stream of the current stage.
    @exclusivity(unchecked) var isChecked = false
    /// Whether there is a request that has not ended.
    @exclusivity(unchecked) private(set) var isActive = false

    private static let reusedTargetBytes = 256

    init(_ connection: OpaquePointer) {
        self.connection = connection
    }

    /// Starts a request.
    func begin(id: RequestID, rawTarget: UnsafeRawBufferPointer) {
        self.id = id
        self.rawTarget.append(contentsOf: rawTarget)
        start = .now()
        isActive = true
        LiveObjects.flights.add()
    }

    /// Releases everything that the request had. An idle connection has nothing of its former request, except for the memory of a
    /// short target.
    func end() {
        LiveObjects.flights.remove()
        isActive = false
        rawTarget.removeAll(keepingCapacity: rawTarget.capacity <= Self.reusedTargetBytes)
        stage = .began
        head = nil
        body = []
        receivedBytes = 0
        status = nil
        budgetedBytes = 0
        countedAddress = nil
        admissionLabel = 0
        plan = nil
        answerLabel = 0
        remark = nil
        isChecked = false
    }

    /// The state of the request so far.
    ///
    /// - Parameter isComplete: whether libmicrohttpd has sent the whole answer.
    func report(isComplete: Bool) -> RequestReport {
        let isStream: Bool = if case .streaming = stage { true } else { false }
        return RequestReport(
            id: id,
            head: head,
            peer: head?.peer ?? client?.host ?? ClientConnection.unknownHost,
            status: status,
            durationNanoseconds: SteadyTime.now().nanoseconds(since: start),
            receivedBytes: receivedBytes,
            isStream: isStream,
            isComplete: isComplete,
            admissionLabel: admissionLabel,
            answerLabel: answerLabel,
            remark: remark
        )
    }
}
