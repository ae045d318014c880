internal import CMicroHTTPD
internal import Logging

/// What a worker knows of its connections beside their requests: whose they are, and how long they may take.
///
/// The library's own timeout begins anew with every byte. So a connection is also in a queue until its request has
/// arrived: in `receiving`, from its acceptance or from its request line on, or in `idle`, after a response. As the
/// library does not tell of the first byte of a later request, the time in `idle` is that of an idle connection and
/// of a request together, which no honest client needs.
///
/// The first second of each is spent in a queue, `arriving` or `resting`, and ends with a look at whether
/// the client has finished sending. Busy connections never get there, so that look costs them nothing.
extension Worker {
    /// A client was accepted.
    func connect(_ client: ClientConnection) {
        application.connected()
        if let counts = addressCounts, let address = client.address, !counts.enter(address) {
            logger.debug("a client has too many connections")
            client.cut()
            return
        }
        arriving.add(client, at: turnStart)
    }

    /// A request line was read. The first request's time runs from the connection's acceptance.
    func beginReceiving(_ client: ClientConnection) {
        if !arriving.contains(client), !receiving.contains(client) {
            arriving.add(client, at: turnStart)
        }
    }

    /// A connection is closed.
    func disconnect(_ client: ClientConnection) {
        application.disconnected()
        client.leaveQueue()
        if let counts = addressCounts, let address = client.address {
            counts.leave(address)
        }
    }

    /// The connection a request came over.
    func client(of connection: OpaquePointer) -> ClientConnection? {
        microhttp_socket_context(connection).map {
            Unmanaged<ClientConnection>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// When a connection has to be looked at next, or nil when none has.
    var nextConnectionDue: Instant? {
        [arriving, receiving, resting, idle].compactMap(\.nextDue).min()
    }

    /// Ends connections whose request will not arrive, or has not arrived in time.
    func cutLateConnections() {
        while let client = arriving.popDue(at: turnStart) {
            receiving.add(client, at: turnStart)
            client.cutIfFinished()
        }
        while let client = resting.popDue(at: turnStart) {
            idle.add(client, at: turnStart)
            client.cutIfFinished()
        }
        for queue in [receiving, idle] {
            while let client = queue.popDue(at: turnStart) {
                logger.debug("a request did not arrive in time")
                client.cut()
            }
        }
    }
}
