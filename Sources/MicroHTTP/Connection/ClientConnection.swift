internal import SteadyClock
internal import CMicroHTTPD
internal import Glibc

/// One connection from its acceptance to its end, with any number of requests.
///
/// It belongs to the worker's thread. libmicrohttpd carries a retained pointer to it. Its properties change several times in
/// each request and are never used by two callers at once, so accesses to them are not checked at run time.
final class ClientConnection {
    /// nil: no limit for each address applies to the connection, because the system call failed, or because the requests of
    /// many clients come over it.
    let address: ClientAddress?
    /// The client's numeric address, or `unknown`.
    let host: String
    /// Whether it is a proxy whose requests say which client each is from.
    let forwards: Bool
    /// Whether it did not begin with the header that it must begin with.
    let lacksProxyHeader: Bool
    /// The server's certificate and key; nil without TLS. They stay the same when the worker gets others.
    let credentials: TLSCredentials?
    let descriptor: CInt

    static let unknownHost = "unknown"

    /// The request that is being read or answered, or the last one: the connection has one at a time.
    let flight: Flight

    /// The deadline while it is in a queue.
    @exclusivity(unchecked) fileprivate(set) var deadline: SteadyTime?
    // A queue outlives its connections, and a connection leaves its queue before it ends.
    @exclusivity(unchecked) fileprivate unowned(unsafe) var queue: DeadlineQueue?
    @exclusivity(unchecked) fileprivate unowned(unsafe) var next: ClientConnection?
    @exclusivity(unchecked) fileprivate unowned(unsafe) var previous: ClientConnection?

    init(_ connection: OpaquePointer, _ credentials: TLSCredentials?, _ configuration: ServerConfiguration) {
        self.credentials = credentials
        flight = Flight(connection)
        descriptor = microhttp_connection_descriptor(connection)
        let peer = microhttp_client_address(connection).flatMap { IPAddress($0) }
        let hasProxyHeader = peer.map(configuration.sendsProxyHeader) ?? false
        let header = hasProxyHeader ? ProxyHeader.take(from: descriptor) : nil
        lacksProxyHeader = hasProxyHeader && header == nil
        let client = header?.client ?? peer
        forwards = client.map(configuration.forwards) ?? false
        address = forwards ? nil : client.map { ClientAddress($0) }
        host = client?.text ?? Self.unknownHost
        LiveObjects.connections.add()
        flight.client = self
    }

    deinit {
        LiveObjects.connections.remove()
    }

    /// Ends the connection and its request. The library has no call for this: it notices in its next turn, closes the socket
    /// and completes the request.
    func cut() {
        shutdown(descriptor, CInt(SHUT_RDWR))
    }

    /// Ends the connection if its client has finished sending and everything was read, so that no request can follow.
    ///
    /// libmicrohttpd misses an end that comes with the last bytes, and would treat the connection as idle.
    func cutIfFinished() {
        var byte: UInt8 = 0
        if recv(descriptor, &byte, 1, CInt(MSG_PEEK | MSG_DONTWAIT)) == 0 {
            cut()
        }
    }

    /// Whether the client has certainly left, if the system has reported that it sends nothing more.
    ///
    /// A client over TLS stops sending only to end the connection (RFC 9112, section 9.8).
    var hasLeft: Bool {
        var state = pollfd(fd: descriptor, events: 0, revents: 0)
        return credentials != nil || poll(&state, 1, 0) > 0
    }

    /// Sends an interim response, which clients must ignore (RFC 9110, section 15.2). The system of a client that has left
    /// refuses it. HTTP/1.0 has none.
    func sendInterimResponse() {
        guard flight.head?.version == "HTTP/1.1" else { return }
        let response: StaticString = "HTTP/1.1 100 Continue\r\n\r\n"
        let flags = CInt(MSG_DONTWAIT | MSG_NOSIGNAL)
        let count = send(descriptor, response.utf8Start, response.utf8CodeUnitCount, flags)
        // The rest of it cannot be sent later.
        if count > 0, count < response.utf8CodeUnitCount { cut() }
    }

    /// Leaves the queue it is in, if any.
    func leaveQueue() {
        queue?.remove(self)
    }
}

/// Connections that all have the same time, so that they come due in the order in which they were added.
final class DeadlineQueue {
    private let nanoseconds: Int64
    // libmicrohttpd retains the connections until they are closed, and they leave their queue before.
    @exclusivity(unchecked) private unowned(unsafe) var first: ClientConnection?
    @exclusivity(unchecked) private unowned(unsafe) var last: ClientConnection?

    init(time: Duration) {
        nanoseconds = (SteadyTime(nanoseconds: 0) + time).nanoseconds
    }

    /// When the first is due, or nil when there is none.
    var nextDue: SteadyTime? { first?.deadline }

    func contains(_ connection: ClientConnection) -> Bool {
        connection.queue === self
    }

    /// Adds a connection, which leaves its former queue. `now` must not be earlier than in the call before.
    func add(_ connection: ClientConnection, at now: SteadyTime) {
        connection.leaveQueue()
        connection.queue = self
        connection.deadline = SteadyTime(nanoseconds: now.nanoseconds + nanoseconds)
        connection.previous = last
        if let last {
            last.next = connection
        } else {
            first = connection
        }
        last = connection
    }

    /// Takes out and returns the first if it is due.
    func popDue(at now: SteadyTime) -> ClientConnection? {
        guard let connection = first, let due = connection.deadline, due <= now else { return nil }
        remove(connection)
        return connection
    }

    fileprivate func remove(_ connection: ClientConnection) {
        let (previous, next) = (connection.previous, connection.next)
        if let previous {
            previous.next = next
        } else {
            first = next
        }
        if let next {
            next.previous = previous
        } else {
            last = previous
        }
        connection.previous = nil
        connection.next = nil
        connection.queue = nil
        connection.deadline = nil
    }
}
