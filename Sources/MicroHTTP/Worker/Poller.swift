internal import CMicroHTTPD
internal import Glibc

/// The descriptors that a sleeping worker waits for: libmicrohttpd's epoll descriptor and the mailbox's eventfd.
final class Poller {
    private let descriptor: CInt

    init() throws(ServerError) {
        descriptor = microhttp_poll_descriptor()
        guard descriptor >= 0 else { throw .system(call: "epoll_create1", code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Adds a descriptor that wakes the worker while it is readable or, edge-triggered, once each time it becomes readable.
    func add(_ watched: CInt, edgeTriggered: Bool) throws(ServerError) {
        guard microhttp_poll_add(descriptor, watched, edgeTriggered ? 1 : 0) == 0 else {
            throw .system(call: "epoll_ctl", code: errno)
        }
    }

    /// Sleeps until a descriptor is readable, for this number of milliseconds at most; nil: without a limit.
    ///
    /// It does not say which descriptor it was, or whether a signal came, because the worker checks everything anyway.
    func wait(milliseconds: Int64?) {
        microhttp_poll_wait(descriptor, milliseconds.map { CInt(clamping: $0) } ?? -1)
    }
}
