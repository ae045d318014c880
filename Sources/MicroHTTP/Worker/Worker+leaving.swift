internal import SteadyClock
internal import CMicroHTTPD

/// How a worker notices that a client has left which reads a stream, or which has waited long for its response. libmicrohttpd does
/// not look at a connection to which nothing is sent.
///
/// The system reports when a client sends nothing more, and when its connection fails. A client that sends nothing more may still
/// read. So the worker sends it something without a meaning: a heartbeat, or an interim response. If the client has left, its
/// system refuses that, which brings the second report. A client that leaves later is not reported, so some more follow.
extension Worker {
    private static let lastCheckSeconds = 8

    /// Watches the clients that have waited for a second. Most responses come earlier, and cost no system call.
    func watchLongWaits() {
        while let client = waiting.popDue(at: turnStart) {
            if isSuspended(client) { poller.add(client) }
        }
    }

    private func isSuspended(_ client: ClientConnection) -> Bool {
        guard case .responding(let exchange) = client.flight.stage else { return false }
        return suspended[ObjectIdentifier(exchange)] != nil
    }

    /// A client sends nothing more, or its connection has failed.
    func check(_ client: ClientConnection) {
        let checked: Alarm.Checked
        switch client.flight.stage {
        case .streaming(let reader):
            checked = .stream(reader.stream)
        case .responding(let exchange) where isSuspended(client):
            guard !client.hasLeft else { return drop(exchange, of: client) }
            checked = .response(exchange)
        default:
            // If the request waits, the client will be watched, and this is reported again.
            return
        }
        guard !client.flight.isChecked else { return probe(checked) }
        client.flight.isChecked = true
        check(checked, after: 0)
    }

    /// Ends a request without a response, and lets the library close the connection.
    private func drop(_ exchange: Exchange, of client: ClientConnection) {
        abandon(exchange)
        MHD_resume_connection(client.flight.connection)
    }

    /// Checks a client some seconds after it has stopped sending: at once, and 1, 2, 4 and 8 seconds later.
    func check(_ checked: Alarm.Checked, after seconds: Int) {
        probe(checked)
        let next = max(1, seconds * 2)
        guard next <= Self.lastCheckSeconds else { return }
        alarms.add(Alarm(due: .now() + .seconds(next - seconds), call: .check(checked, seconds: next)))
    }

    /// Sends something without a meaning.
    private func probe(_ checked: Alarm.Checked) {
        switch checked {
        case .stream(let stream): stream.beat()
        case .response(let exchange): suspended[ObjectIdentifier(exchange)]?.client?.sendInterimResponse()
        }
    }
}
