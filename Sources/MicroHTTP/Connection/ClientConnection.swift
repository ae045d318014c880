internal import CMicroHTTPD
internal import Glibc

/// One connection, from its acceptance to its end, whichever requests it carries.
///
/// It belongs to the worker's thread. libmicrohttpd carries a retained pointer to it.
final class ClientConnection {
    /// Nil when the system does not tell, by which the limit for each address leaves the connection alone.
    let address: ClientAddress?
    /// The client's numeric address, or `unknown`.
    let host: String
    /// What the server proves itself with; nil without TLS. It stays the same when the worker gets another one.
    let credentials: TLSCredentials?
    private let descriptor: CInt

    static let unknownHost = "unknown"

    /// When its request must have arrived, while it is in a queue.
    fileprivate(set) var deadline: Instant?
    fileprivate unowned var queue: DeadlineQueue?
    fileprivate var next: ClientConnection?
    fileprivate unowned var previous: ClientConnection?

    init(_ connection: OpaquePointer, _ credentials: TLSCredentials?) {
        self.credentials = credentials
        descriptor = microhttp_connection_descriptor(connection)
        let address = microhttp_client_address(connection)
        self.address = address.flatMap { ClientAddress($0) }
        host = address.map { numericHost(of: $0) } ?? Self.unknownHost
        LiveObjects.connections.add()
    }

    deinit {
        LiveObjects.connections.remove()
    }

    /// Ends the connection, whatever stands on it. The library notices in its next turn, closes the socket and
    /// completes the request; it has no call for this.
    func cut() {
        shutdown(descriptor, CInt(SHUT_RDWR))
    }

    /// Ends the connection if its client has finished sending and all of that was read: no request can come any more.
    ///
    /// libmicrohttpd misses an end that comes along with the last bytes, and would keep the connection for as long as
    /// an idle one.
    func cutIfFinished() {
        var byte: UInt8 = 0
        if recv(descriptor, &byte, 1, CInt(MSG_PEEK | MSG_DONTWAIT)) == 0 {
            cut()
        }
    }

    /// Leaves the queue it is in, if any.
    func leaveQueue() {
        queue?.remove(self)
    }
}

/// Connections that all have the same time to do something, and hence come due in the order they were added.
final class DeadlineQueue {
    private let time: Duration
    private var first: ClientConnection?
    private unowned var last: ClientConnection?

    init(time: Duration) {
        self.time = time
    }

    /// When the first is due, or nil when there is none.
    var nextDue: Instant? { first?.deadline }

    func contains(_ connection: ClientConnection) -> Bool {
        connection.queue === self
    }

    /// Adds a connection, which leaves the queue it was in. `now` must never be earlier than in a call before.
    func add(_ connection: ClientConnection, at now: Instant) {
        connection.leaveQueue()
        connection.queue = self
        connection.deadline = now + time
        connection.previous = last
        if let last {
            last.next = connection
        } else {
            first = connection
        }
        last = connection
    }

    /// Takes out and returns the first if it is due.
    func popDue(at now: Instant) -> ClientConnection? {
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
