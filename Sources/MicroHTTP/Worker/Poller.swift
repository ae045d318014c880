internal import CMicroHTTPD
internal import Glibc

/// The descriptors that a sleeping worker waits for: libmicrohttpd's epoll descriptor, the mailbox's eventfd, and the sockets of
/// clients that read streams or have waited long for a response.
final class Poller {
    private let descriptor: CInt
    /// The clients that the last wait reported.
    private let contexts: UnsafeMutablePointer<UnsafeMutableRawPointer?>

    init() throws(ServerError) {
        descriptor = microhttp_poll_descriptor()
        guard descriptor >= 0 else { throw .system(call: "epoll_create1", code: errno) }
        contexts = .allocate(capacity: Int(MICROHTTP_POLL_CLIENTS))
    }

    deinit {
        close(descriptor)
        contexts.deallocate()
    }

    /// Adds a descriptor that wakes the worker while it is readable or, edge-triggered, once each time it becomes readable.
    func add(_ watched: CInt, edgeTriggered: Bool) throws(ServerError) {
        guard microhttp_poll_add(descriptor, watched, edgeTriggered ? 1 : 0) == 0 else {
            throw .system(call: "epoll_ctl", code: errno)
        }
    }

    /// Watches a client until its socket is closed. If it is watched already, what was reported is reported again.
    func add(_ client: ClientConnection) {
        microhttp_poll_add_client(descriptor, client.descriptor, Unmanaged.passUnretained(client).toOpaque())
    }

    /// Sleeps until a descriptor is ready, for this number of milliseconds at most; nil: without a limit.
    ///
    /// It does not say which descriptor it was, or whether a signal came, because the worker checks everything anyway.
    ///
    /// - Parameter finished: gets each watched client that sends nothing more or whose connection has failed, once for each of
    ///   these changes. It must not close connections.
    func wait(milliseconds: Int64?, _ finished: (ClientConnection) -> Void) {
        let count = microhttp_poll_wait(descriptor, milliseconds.map { CInt(clamping: $0) } ?? -1, contexts)
        for case let context? in UnsafeBufferPointer(start: contexts, count: Int(count)) {
            finished(Unmanaged.fromOpaque(context).takeUnretainedValue())
        }
    }
}
