internal import Locking

/// Room in a journal's queue for one entry. A reservation that is dropped unused gives its room back.
public final class Reservation: Sendable {
    /// The bytes that are reserved.
    public let bytes: Int
    private let release: Lock<(@Sendable () -> Void)?>

    /// Creates a reservation.
    ///
    /// - Parameter release: gives the room back; it is called at most once.
    public init(bytes: Int, release: @escaping @Sendable () -> Void) {
        self.bytes = bytes
        self.release = Lock(release)
    }

    deinit {
        take()?()
    }

    /// Takes over the room: the caller must call the result when the room is free again. nil if it was taken before.
    public func take() -> (@Sendable () -> Void)? {
        release.withLock { release in
            defer { release = nil }
            return release
        }
    }
}

/// The room of a queue.
package final class Room: Sendable {
    private struct State {
        var entries = 0
        var bytes = 0
    }

    private let limits: QueueLimits
    private let state = Lock(State())

    package init(_ limits: QueueLimits) {
        self.limits = limits
    }

    /// The changes and bytes that occupy the room.
    package var occupied: (entries: Int, bytes: Int) {
        state.withLock { ($0.entries, $0.bytes) }
    }

    /// Reserves room.
    package func reserve(bytes: Int) throws(JournalError) -> Reservation {
        let bytes = max(bytes, 0)
        let fits = state.withLock { state in
            // One change may be larger than the limit, or it could never be written.
            let fits = state.entries < limits.entries && (state.bytes == 0 || state.bytes + bytes <= limits.bytes)
            if fits {
                state.entries += 1
                state.bytes += bytes
            }
            return fits
        }
        guard fits else { throw .unavailable("the queue is full") }
        return Reservation(bytes: bytes) { [self] in free(bytes) }
    }

    private func free(_ bytes: Int) {
        state.withLock { state in
            state.entries -= 1
            state.bytes -= bytes
        }
    }
}
