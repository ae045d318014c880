public import MicroHTTP

extension DeckService {
    /// Adds a server whose event loops `/livez` checks.
    public func watch(_ server: Server) {
        monitoring.loops.watch(server)
    }

    /// Calls back when every event loop of the watched servers has completed a turn; never if one hangs.
    public func afterATurnOfEachLoop(_ completion: @escaping @Sendable () -> Void) {
        monitoring.loops.whenAllHaveTurned(completion)
    }

    /// Reports from now on that the service is not ready, and asks clients to close their connections, so that they connect to
    /// another node. Everything else works as before.
    public func withdraw() {
        monitoring.readiness.withdraw()
    }

    /// Adds the name of the request and the CORS headers, and asks the client to close the connection when the service is
    /// withdrawn.
    public func addHeaders(to headers: inout HeaderFields, of id: RequestID, head: RequestHead?) {
        RequestIDHeader.add(to: &headers, id, head)
        crossOrigin.addHeaders(to: &headers, head: head)
        if monitoring.readiness.isWithdrawn { headers.set("Connection", "close") }
    }

    /// Counts a request in progress.
    public func began(_ id: RequestID) {
        monitoring.metrics.requests.began(id)
    }

    /// Counts and logs a request.
    public func ended(_ report: RequestReport) {
        monitoring.metrics.ended(report)
        monitoring.requestLog.ended(report)
    }

    /// Counts the duration of one turn of an event loop.
    public func turned(inNanoseconds nanoseconds: Int, worker: Int) {
        monitoring.metrics.loops.turned(inNanoseconds: nanoseconds, worker: worker)
    }

    /// Counts a connection.
    public func connected() {
        monitoring.metrics.requests.connected()
    }

    /// Counts that a connection was closed.
    public func disconnected() {
        monitoring.metrics.requests.disconnected()
    }
}
