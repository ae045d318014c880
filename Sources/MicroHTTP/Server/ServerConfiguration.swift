/// Where a server listens, and its limits. ``Server/start()`` checks every number.
public struct ServerConfiguration: Sendable {
    /// A name or numeric address to listen on; `::` takes IPv6 and IPv4, and brackets around IPv6 are allowed.
    ///
    /// If a name has several addresses, the first one that this machine has is used.
    public var host = "127.0.0.1"

    /// The port, 0 to 65535; 0 takes any free one, see ``Server/address``.
    public var port = 8080

    /// The number of event loops, each with its own thread and listening socket, 1 to 1,024. The
    /// default is ``availableProcessors``.
    public var workerCount = ServerConfiguration.availableProcessors

    /// How many connections may be open at once, over all workers and including idle ones; at least one for each worker.
    ///
    /// The number is divided evenly among the workers. A full worker accepts the next client when another one leaves; until
    /// then clients wait in the backlog. The limit on open files is raised if necessary. If it cannot be raised enough, fewer
    /// connections are open at once, see ``Server/capacity``: libmicrohttpd can stop accepting when no file can be opened.
    public var connectionLimit = 8_192

    /// How many clients may wait to be accepted, for each worker; the kernel caps it at `net.core.somaxconn`.
    public var backlog = 1_024

    /// The memory of one connection in bytes, at least 4,096. It limits the length of a request's head. libmicrohttpd answers a
    /// longer one by itself with 414 or 431. It stores cookies twice, and 64 bytes more for each header, cookie and argument of the
    /// query. A head that leaves less than 2 KiB, or a quarter if that is less, for the head of the response is refused with 431, too.
    public var perConnectionMemoryBytes = 32 * 1_024

    /// A connection is closed after this number of seconds without a byte, at least 1, unless a request waits for its answer.
    public var idleTimeoutSeconds = 60

    /// How long a client may take to send a request, head and body together; at least 1.
    ///
    /// For the first request of a connection the time starts when the connection is accepted. For later ones it starts with
    /// the request line, which must arrive within this time and the idle timeout together. If a request is late, the
    /// connection is closed without an answer, even if bytes still arrive.
    public var requestTimeoutSeconds = 30

    /// How many connections one client address may have at once, all workers together; 0 for any number.
    ///
    /// A further connection is closed at once. IPv6 addresses with the same first 64 bits count as one. Behind a proxy that is
    /// not in ``forwardingProxies`` or ``proxyHeaderPeers`` it must be 0, because all clients have the address of the proxy.
    /// A connection of a proxy in ``forwardingProxies`` does not count. Each request over it does while it is answered, for its
    /// client.
    public var connectionsPerAddress = 0

    /// The proxies whose X-Forwarded-For header is believed. From all other clients the header is ignored.
    public var forwardingProxies: [AddressRange] = []

    /// The proxies that begin each connection with a header of the PROXY protocol, version 1 or 2. One of their connections that
    /// begins with something else is closed. All other clients must not send such a header.
    public var proxyHeaderPeers: [AddressRange] = []

    /// How many bytes of one stream may wait for a slow client before it is cut off, at least 1,024.
    public var streamBufferBytes = 256 * 1_024

    /// How many bytes of responses may wait to be sent, over all workers. Responses of less than 16 KiB do not count. While
    /// there is no room, a longer response is replaced by the one for ``Refusal/overloaded``, and a stream that writes is cut
    /// off. For responses to requests with methods that are not safe there is as much room again.
    public var responseBytes = 256 * 1_024 * 1_024

    /// The time between two heartbeats of a stream; 0 for none. They show whether the client is still there.
    public var streamHeartbeatSeconds = 15

    /// The certificate and the key for TLS; nil for plain HTTP.
    public var tls: TLSIdentity?

    /// Descriptors of sockets that listen already, for example those that a service manager passes. They replace ``host`` and
    /// ``port``. If the list is empty, the server opens sockets.
    ///
    /// There may not be more sockets than workers. If there are fewer, workers share them. ``Server/start()`` takes ownership
    /// of them, also when it fails, and the server closes them when it stops. If another process has the socket open, clients
    /// that connect later wait for that process.
    public var inheritedSockets: [Int32] = []

    /// How much of a refused request's body is read and dropped, so that the client can read the refusal.
    ///
    /// If the announced length is greater, the answer is sent and the connection is closed at once, so the answer may be lost.
    /// A chunked body is cut off at this length. Zero or more.
    public var bodyDrainLimitBytes = 16 * 1_024 * 1_024

    /// All defaults: 127.0.0.1, port 8080.
    public init() {}

    /// All defaults except the host and the port.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// The number of processors that this process may use, by its affinity and its control groups; at least 1.
    public static var availableProcessors: Int { ProcessorCount.available }

    func forwards(_ peer: IPAddress) -> Bool {
        forwardingProxies.contains { $0.contains(peer) }
    }

    func sendsProxyHeader(_ peer: IPAddress) -> Bool {
        proxyHeaderPeers.contains { $0.contains(peer) }
    }

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
