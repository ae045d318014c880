public import MicroHTTP

extension DeckService {
    /// Has `/livez` ask the event loops of a server that the service answers for, too.
    public func watch(_ server: Server) {
        operations.loops.watch(server)
    }

    /// Calls back once every loop of the servers that are watched has come round; never if one hangs.
    public func afterATurnOfEachLoop(_ completion: @escaping @Sendable () -> Void) {
        operations.loops.whenAllHaveTurned(completion)
    }

    /// Says from now on that it is not ready, and asks clients to open new connections, which then go elsewhere.
    /// Everything else works as before.
    public func withdraw() {
        operations.readiness.withdraw()
    }

    /// Adds the request's name and what browsers must know, and asks the client to leave when the service is withdrawn.
    public func complete(_ headers: inout HeaderFields, of id: RequestID, head: RequestHead?) {
        headers.add(RequestName.field, RequestName.of(id, head))
        crossOrigin.complete(&headers, head: head)
        if operations.readiness.isWithdrawn { headers.set("Connection", "close") }
    }

    /// Counts a request and writes its line.
    public func ended(_ report: RequestReport) {
        operations.metrics.ended(report)
        operations.requestLog.ended(report)
    }

    /// Counts the duration of one turn of an event loop.
    public func turned(in duration: Duration, worker: Int) {
        operations.metrics.loops.turned(in: duration, worker: worker)
    }

    /// Counts a connection.
    public func connected() {
        operations.metrics.requests.connected()
    }

    /// Counts a connection no more.
    public func disconnected() {
        operations.metrics.requests.disconnected()
    }
}
