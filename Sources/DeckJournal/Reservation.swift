internal import Locking
internal import Synchronization

/// Room in a journal's queue for one entry. A reservation that is released returns its room.
public final class Reservation: Sendable {
    /// The bytes that are reserved.
    public let bytes: Int
    private let room: Room
    private let isUsed = Atomic(false)
    private let isFree = Atomic(false)

    fileprivate init(of room: Room, bytes: Int) {
        self.room = room
        self.bytes = bytes
    }

    deinit {
        free()
    }

    /// Uses the reservation for an entry.
    ///
    /// - Returns: false if it was used before, and so has no room left.
    package func use() -> Bool {
        !isUsed.exchange(true, ordering: .relaxed)
    }

    /// Gives the room back, unless that was done before.
    package func free() {
        if !isFree.exchange(true, ordering: .relaxed) { room.free(bytes) }
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
        return Reservation(of: self, bytes: bytes)
    }

    /// The room for a change: a reservation of it that was not used before, or a new one.
    package func room(using reservation: Reservation?, bytes: Int) throws(JournalError) -> Reservation {
        if let reservation, reservation.use() { return reservation }
        return try reserve(bytes: bytes)
    }

    fileprivate func free(_ bytes: Int) {
        state.withLock { state in
            state.entries -= 1
            state.bytes -= bytes
        }
    }
}
