internal import CMicroHTTPD
internal import Glibc

/// What a worker sleeps on: libmicrohttpd's epoll descriptor and the mailbox's eventfd.
final class Poller {
    private let descriptor: CInt

    init() throws(ServerError) {
        descriptor = microhttp_poll_descriptor()
        guard descriptor >= 0 else { throw .system(call: "epoll_create1", code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Wakes for as long as the descriptor is readable, or, edge-triggered, once each time it becomes so.
    func add(_ watched: CInt, edgeTriggered: Bool) throws(ServerError) {
        guard microhttp_poll_add(descriptor, watched, edgeTriggered ? 1 : 0) == 0 else {
            throw .system(call: "epoll_ctl", code: errno)
        }
    }

    /// Sleeps until one of them has something, or for so many milliseconds; without limit for nil.
    ///
    /// Which of them it was is of no interest, and nor is being interrupted: the worker looks at everything anyway.
    func wait(milliseconds: Int64?) {
        microhttp_poll_wait(descriptor, milliseconds.map { CInt(clamping: $0) } ?? -1)
    }
}
