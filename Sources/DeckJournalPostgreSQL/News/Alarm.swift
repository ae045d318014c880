import CPostgreSQL
import Glibc

/// Lets a thread wait for a socket until another thread rings.
final class Alarm: Sendable {
    private let descriptor = eventfd(0, CInt(EFD_NONBLOCK | EFD_CLOEXEC))

    deinit {
        close(descriptor)
    }

    /// Ends the current wait, or the next one if there is none.
    func ring() {
        eventfd_write(descriptor, 1)
    }

    /// Waits until the time is up, the alarm rings or something else happens that is awaited.
    func wait(for awaited: pollfd? = nil, atMost time: Duration) {
        var descriptors = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        if let awaited { descriptors.append(awaited) }
        let milliseconds = CInt((time / .milliseconds(1)).rounded(.up))
        poll(&descriptors, nfds_t(descriptors.count), milliseconds)
        var count: UInt64 = 0
        if descriptors[0].revents != 0 { eventfd_read(descriptor, &count) }
    }
}
