internal import SteadyClock

/// Decides which requests a worker answers in a turn.
///
/// The code that answers requests, and that of the kernel that receives and sends, take each other's place in the processor's
/// caches. A client on the same machine, such as a proxy, is woken for each response that comes alone. So a busy worker first
/// answers all requests that have arrived, and then sends all of their responses and receives the next requests.
///
/// The first response waits for the others. So only a worker does this that has hardly any time in which it waits for requests.
/// Any other worker answers a request when it has arrived, and sends the response at once.
///
/// libmicrohttpd asks for a response when the request has arrived. If it gets none, it asks again in its next run, and sends the
/// response in the run after that. So the turn of a busy worker has two runs: the first answers requests that arrived earlier, and
/// the second sends.
struct RequestGroup {
    /// A worker can be busy only if it has answered this many requests in its last turn, or if requests wait.
    private static let busyCount = 4
    /// It is busy only if its turns took nine tenths of the last period. A period has at least this length.
    private static let periodNanoseconds = 10_000_000
    /// The responses of a group are sent when their bodies have this many bytes, so that they do not use up the memory for
    /// responses.
    private static let mostBytes = 16 * 1_024 * 1_024

    /// How many requests the application got in this turn.
    private var answeredCount = 0
    /// How many bytes the bodies of this turn's responses have.
    private var byteCount = 0
    /// Whether the responses of the group are being sent.
    private var isSending = false
    /// Whether requests that have arrived wait for the next turn.
    private var hasWaiting = false
    private var periodStart: SteadyTime
    /// How long the turns of the period took.
    private var turnNanoseconds = 0
    /// Whether the worker hardly waited in the last period.
    private var isSaturated = false
    private var isBusy = false

    init(at now: SteadyTime) {
        periodStart = now
    }

    /// Whether a request is answered now, and not in a later turn.
    ///
    /// - Parameter isNew: whether it has arrived in this run of the library.
    mutating func admits(isNew: Bool) -> Bool {
        guard !isBusy || !isNew && !isSending && byteCount < Self.mostBytes else {
            hasWaiting = true
            return false
        }
        answeredCount += 1
        return true
    }

    /// A response was queued.
    mutating func add(bytes: Int) {
        byteCount += bytes
    }

    /// The first run of a turn is over. Returns whether a second one must send the responses.
    mutating func startSending() -> Bool {
        isSending = isBusy && answeredCount > 0
        return isSending
    }

    /// The turn is over. Returns whether the next one must come at once.
    mutating func endTurn(at now: SteadyTime, inNanoseconds nanoseconds: Int) -> Bool {
        turnNanoseconds += nanoseconds
        let period = now.nanoseconds(since: periodStart)
        if period >= Self.periodNanoseconds {
            isSaturated = turnNanoseconds >= period / 10 * 9
            (periodStart, turnNanoseconds) = (now, 0)
        }
        if answeredCount > 0 { isBusy = isSaturated && (answeredCount >= Self.busyCount || hasWaiting) }
        defer { (answeredCount, byteCount, isSending, hasWaiting) = (0, 0, false, false) }
        return hasWaiting
    }
}
