/// Where a server listens and what it grants its clients. Every number is checked by ``Server/start()``.
public struct ServerConfiguration: Sendable {
    /// A name or numeric address to listen on; `::` takes IPv6 and IPv4, and brackets around IPv6 are allowed.
    ///
    /// Of a name's addresses the first that this machine has is used.
    public var host = "127.0.0.1"

    /// The port, 0 to 65535; 0 takes any free one, see ``Server/address``.
    public var port = 8080

    /// The number of event loops, each with its own thread and listening socket, 1 to 1,024; as many as
    /// ``activeCores``.
    public var workerCount = ServerConfiguration.activeCores

    /// How many connections may be open at once, all workers together, idle ones included; at least one for each.
    ///
    /// It is divided evenly, as the kernel spreads connections over the workers. A worker that is full accepts the
    /// next client when one leaves; until then clients wait in the backlog. The limit on open files is raised to fit.
    public var connectionLimit = 8_192

    /// How many clients may wait to be accepted, for each worker; the kernel caps it at `net.core.somaxconn`.
    public var backlog = 1_024

    /// The memory of one connection in bytes, at least 4,096. About half of it is for reading, so it bounds the
    /// request head: a longer one is answered by libmicrohttpd itself with 414 or 431.
    public var perConnectionMemoryBytes = 32 * 1_024

    /// After so many seconds without a byte a connection is closed, at least 1; requests that wait for their answer
    /// are exempt.
    public var idleTimeoutSeconds = 60

    /// How long a client may take to send a request, head and body together; at least 1.
    ///
    /// The time runs from the connection's acceptance and, for later requests on it, from the request line, which
    /// must itself come within this and the idle timeout together. What is late has its connection closed without an
    /// answer, however steadily its bytes come.
    public var requestTimeoutSeconds = 30

    /// How many connections one client address may have at once, all workers together; 0 for any number.
    ///
    /// A further connection is closed at once. The addresses that share the first 64 bits of IPv6 count as one. Behind
    /// a proxy, whose address all clients share, it must be 0.
    public var connectionsPerAddress = 0

    /// How many bytes of one stream may wait for a slow client before it is cut off, at least 1,024.
    public var streamBufferBytes = 256 * 1_024

    /// How many bytes of responses may wait to be sent, over all workers; those of less than 16 KiB do not count. A longer
    /// response is replaced by that for ``Refusal/overloaded`` while there is no room, and a stream that writes is cut off.
    public var responseBytes = 256 * 1_024 * 1_024

    /// The time between two heartbeats of a stream; 0 for none. A client that left is noticed by them.
    public var streamHeartbeatSeconds = 15

    /// What to speak TLS with; nil for plain HTTP.
    public var tls: TLSIdentity?

    /// Sockets that listen already, as a service manager hands them over, to be used in place of ``host`` and
    /// ``port``; empty to open sockets.
    ///
    /// Each worker takes one. There may be fewer than workers, which then share them, but not more. The server owns
    /// them from ``Server/start()`` on, also when that fails, and closes them when it stops; clients that come then
    /// wait for another process that holds the socket.
    public var inheritedSockets: [Int32] = []

    /// How much of a refused request's body is read and dropped, so that the client can read the refusal.
    ///
    /// A refused body announced as longer is answered at once and the connection closed, by which the answer may be
    /// lost; a chunked one is cut off there. Zero or more.
    public var bodyDrainLimitBytes = 16 * 1_024 * 1_024

    /// All defaults: 127.0.0.1, port 8080.
    public init() {}

    /// All defaults but the place to listen.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// The processors that this process may use at a time, by its affinity and its control groups; at least 1.
    public static var activeCores: Int { ProcessorCount.available }

    func validate() throws(ServerError) {
        try check("port", port, 0...65_535)
        try check("inheritedSockets", inheritedSockets.count, 0...1_024)
        try check("workerCount", workerCount, max(1, inheritedSockets.count)...1_024)
        try check("connectionLimit", connectionLimit, workerCount...1_000_000)
        try check("backlog", backlog, 1...65_535)
        try check("perConnectionMemoryBytes", perConnectionMemoryBytes, 4_096...1_048_576)
        try check("idleTimeoutSeconds", idleTimeoutSeconds, 1...86_400)
        try check("requestTimeoutSeconds", requestTimeoutSeconds, 1...86_400)
        try check("connectionsPerAddress", connectionsPerAddress, 0...1_000_000)
        try check("streamBufferBytes", streamBufferBytes, 1_024...1_073_741_824)
        try check("responseBytes", responseBytes, 1_048_576...1_099_511_627_776)
        try check("streamHeartbeatSeconds", streamHeartbeatSeconds, 0...86_400)
        try check("bodyDrainLimitBytes", bodyDrainLimitBytes, 0...Int.max / 2)
    }

    private func check(_ name: String, _ value: Int, _ range: ClosedRange<Int>) throws(ServerError) {
        guard range.contains(value) else {
            throw .invalidSetting(name: name, value: value, allowed: range)
        }
    }
}
