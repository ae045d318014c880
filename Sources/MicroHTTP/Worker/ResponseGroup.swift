internal import CMicroHTTPD
internal import SteadyClock

/// Sends responses to clients on this machine, such as a proxy, in groups.
///
/// A client sleeps until a response arrives. To wake it takes longer than to send the response, and a client that gets one
/// response after the other is woken for each. So while a worker is busy, the kernel keeps the bytes of a response (`TCP_CORK`)
/// until the turn is over. This takes two system calls for each response.
///
/// The client then gets the response later. So a worker does this only if it has hardly any time in which it waits for requests.
/// Otherwise it sends each response at once.
///
/// A client on another machine is not woken by the worker, so its responses are sent at once. So are responses of resumed
/// connections, because libmicrohttpd makes all of a turn before it sends the first one.
struct ResponseGroup {
    /// A worker is busy if its former turn with responses had this many, ...
    private static let busyCount = 4
    /// ... each took at least this long, because a client to which they come faster does not sleep, ...
    private static let busyNanoseconds = 20_000
    /// ... and its turns took nine tenths of the last period of at least this length.
    private static let periodNanoseconds = 10_000_000
    /// The first response waits until all others of the group have been made.
    private static let largestCount = 16

    /// The sockets whose bytes the kernel keeps.
    private var sockets: [CInt] = []
    private var turnCount = 0
    private var periodStart: SteadyTime
    /// How long the turns of the period took.
    private var turnNanoseconds = 0
    /// Whether the worker hardly waited in the last period.
    private var isSaturated = false
    private var isBusy = false

    init(at now: SteadyTime) {
        periodStart = now
    }

    /// Must be called before a response is sent to a socket.
    mutating func add(_ socket: CInt) {
        turnCount += 1
        guard isBusy, microhttp_keep_bytes(socket, 1) == 0 else { return }
        if sockets.count == Self.largestCount { send() }
        sockets.append(socket)
    }

    /// The turn is over.
    mutating func endTurn(at now: SteadyTime, inNanoseconds nanoseconds: Int) {
        turnNanoseconds += nanoseconds
        let period = now.nanoseconds(since: periodStart)
        if period >= Self.periodNanoseconds {
            isSaturated = turnNanoseconds >= period / 10 * 9
            (periodStart, turnNanoseconds) = (now, 0)
        }
        guard turnCount > 0 else { return }
        isBusy = isSaturated && turnCount >= Self.busyCount && nanoseconds >= turnCount * Self.busyNanoseconds
        turnCount = 0
        send()
    }

    private mutating func send() {
        for socket in sockets { _ = microhttp_keep_bytes(socket, 0) }
        sockets.removeAll(keepingCapacity: true)
    }
}
