internal import SteadyClock

/// The requests that a busy worker answers together.
///
/// The code that answers requests, and that of the kernel that receives and sends, take each other's place in the processor's
/// caches. A client on the same machine, such as a proxy, is woken for each response that comes alone. So a busy worker only
/// collects the requests that arrive while libmicrohttpd runs. At the start of its next turn it answers them all. Then the library
/// runs twice: in the first run it asks for the responses, and in the second one it sends them.
///
/// The first response waits for the others. So only a worker does this that has hardly any time in which it waits for requests.
/// Any other worker answers a request when it has arrived, and sends the response at once.
struct RequestGroup {
    /// A worker can be busy only if it has answered this many requests in its last turn, or if requests wait.
    private static let busyCount = 4
    /// It is busy only if its turns took nine tenths of the last period. A period has at least this length.
    private static let periodNanoseconds = 10_000_000
    /// The responses of a turn are sent when their bodies have this many bytes, so that they do not use up the memory for
    /// responses.
    private static let mostBytes = 16 * 1_024 * 1_024
    /// The most requests that are taken through the same steps. What they need fits into the processor's caches.
    static let mostInStep = 16

    /// The requests that have arrived and are not answered.
    private var waiting: [Flight] = []
    /// How many of them were taken in this turn.
    private var takenCount = 0
    /// How many requests the application got in this turn.
    private var answeredCount = 0
    /// How many bytes the bodies of this turn's responses have.
    private var byteCount = 0
    private var periodStart: SteadyTime
    /// How long the turns of the period took.
    private var turnNanoseconds = 0
    /// Whether the worker hardly waited in the last period.
    private var isSaturated = false
    private var isBusy = false

    init(at now: SteadyTime) {
        periodStart = now
    }

    /// Takes a request that has arrived. Returns whether it is answered in this turn; otherwise it waits for the next one.
    mutating func takesNow(_ flight: Flight) -> Bool {
        guard isBusy else {
            answeredCount += 1
            return true
        }
        waiting.append(flight)
        return false
    }

    /// The next request that has waited for this turn; nil: there is none, or the responses of this turn are long enough.
    mutating func take() -> Flight? {
        guard takenCount < waiting.count, byteCount < Self.mostBytes else { return nil }
        defer { takenCount += 1 }
        answeredCount += 1
        return waiting[takenCount]
    }

    /// Whether requests that had waited were answered in this turn.
    var hasTaken: Bool { takenCount > 0 }

    /// The application has returned a response.
    mutating func add(bytes: Int) {
        byteCount += bytes
    }

    /// The turn is over. Returns whether the next one must come at once, because requests wait for it.
    mutating func endTurn(at now: SteadyTime, inNanoseconds nanoseconds: Int) -> Bool {
        waiting.removeFirst(takenCount)
        turnNanoseconds += nanoseconds
        let period = now.nanoseconds(since: periodStart)
        if period >= Self.periodNanoseconds {
            isSaturated = turnNanoseconds >= period / 10 * 9
            (periodStart, turnNanoseconds) = (now, 0)
        }
        if answeredCount > 0 { isBusy = isSaturated && (answeredCount >= Self.busyCount || !waiting.isEmpty) }
        (takenCount, answeredCount, byteCount) = (0, 0, 0)
        return !waiting.isEmpty
    }

    /// Forgets the requests that wait, because the worker has ended.
    mutating func removeAll() {
        waiting = []
    }
}
