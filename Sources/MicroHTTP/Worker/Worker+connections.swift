internal import SteadyClock
internal import CMicroHTTPD
internal import Logging

/// The connections of a worker: their clients and their deadlines.
///
/// The library's timeout starts again with every byte. So a connection is also in a queue until its request has arrived: in
/// `receiving`, which starts when the connection is accepted or with the request line, or in `idle`, after a response. The
/// library does not report the first byte of a later request. So the time in `idle` is that of an idle connection and of a
/// request together, which is more than an honest client needs.
///
/// The first second of each is spent in another queue, `arriving` or `resting`. At its end the worker checks whether the
/// client has finished sending. Busy connections leave these queues before, so the check costs them nothing.
extension Worker {
    /// A client was accepted.
    func connect(_ client: ClientConnection) {
        pacing.noteProgress()
        application.connected()
        if let counts = addressCounts, let address = client.address, !counts.enter(address) {
            logger.debug("a client has too many connections")
            client.cut()
            return
        }
        guard !client.lacksProxyHeader else {
            logger.warning("a connection has no PROXY header", metadata: ["peer": "\(client.host)"])
            client.cut()
            return
        }
        arriving.add(client, at: turnStart)
    }

    /// The client of a request, and its address if it is not that of the connection. Throws if the header that has it is malformed.
    func sender(of client: ClientConnection, _ headers: HeaderFields) throws(ForwardedFor.Malformed) -> (
        host: String, address: IPAddress?
    ) {
        guard client.forwards, headers.count(of: ForwardedFor.field) > 0 else { return (client.host, nil) }
        let values = headers.values(ForwardedFor.field)
        let address = try ForwardedFor.client(in: values, behind: configuration.forwardingProxies)
        return address.map { ($0.text, $0) } ?? (client.host, nil)
    }

    /// A request line was read. The first request's time runs from the connection's acceptance.
    func beginReceiving(_ client: ClientConnection) {
        if !arriving.contains(client), !receiving.contains(client) {
            arriving.add(client, at: turnStart)
        }
    }

    /// A connection is closed. The library does not report the end of a request whose head has two errors, such as a malformed
    /// Cookie and no Host.
    func disconnect(_ client: ClientConnection) {
        pacing.noteProgress()
        if client.flight.isActive { complete(client.flight, isComplete: false) }
        application.disconnected()
        client.leaveQueue()
        if let counts = addressCounts, let address = client.address {
            counts.leave(address)
        }
    }

    /// The client of a connection.
    func client(of connection: OpaquePointer) -> ClientConnection? {
        microhttp_socket_context(connection).map {
            Unmanaged<ClientConnection>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// When the next connection must be checked; nil: no connection has a deadline.
    var nextConnectionDue: SteadyTime? {
        earlier(
            earlier(earlier(arriving.nextDue, receiving.nextDue), earlier(resting.nextDue, idle.nextDue)),
            waiting.nextDue
        )
    }

    /// The earlier of two moments, if there are any.
    func earlier(_ one: SteadyTime?, _ other: SteadyTime?) -> SteadyTime? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    /// Closes connections whose request cannot arrive any more, or has not arrived in time.
    func cutLateConnections() {
        while let client = arriving.popDue(at: turnStart) {
            receiving.add(client, at: turnStart)
            client.cutIfFinished()
        }
        while let client = resting.popDue(at: turnStart) {
            idle.add(client, at: turnStart)
            client.cutIfFinished()
        }
        cutAll(in: receiving)
        cutAll(in: idle)
    }

    private func cutAll(in queue: DeadlineQueue) {
        while let client = queue.popDue(at: turnStart) {
            logger.debug("a request did not arrive in time")
            client.cut()
        }
    }
}
