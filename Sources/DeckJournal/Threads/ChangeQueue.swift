/// The changes that wait for the thread that writes. It takes them in groups, each for one transaction, so that they share one
/// wait for the disk.
package final class ChangeQueue<Change: Sendable>: Sendable {
    private struct Waiting {
        let change: Change
        let room: Reservation
    }

    /// How much of what waits a group has at most, so that the log and the wait of the first stay within bounds.
    private static var largestGroup: Int { 1024 }
    private static var largestGroupBytes: Int { 16 << 20 }

    private let inbox = Inbox<Waiting>()
    private let room: Room

    package init(_ limits: QueueLimits) {
        room = Room(limits)
    }

    /// Whether it was closed.
    package var refuses: Bool { inbox.refuses }

    /// Reserves room for a change.
    package func reserve(bytes: Int) throws(JournalError) -> Reservation {
        guard !inbox.refuses else { throw .closed }
        return try room.reserve(bytes: bytes)
    }

    /// Adds a change. If that fails, completes it with the error.
    ///
    /// - Parameters:
    ///   - bytes: the size of its data.
    ///   - reservation: room for it; nil, or room that was used before: new room is reserved.
    package func add<Value>(
        _ change: Change,
        bytes: Int,
        using reservation: Reservation?,
        _ completion: JournalCompletion<Value>
    ) {
        var taken: Reservation?
        do throws(JournalError) {
            let reserved = try room.room(using: reservation, bytes: bytes)
            taken = reserved
            try inbox.put(Waiting(change: change, room: reserved), bytes: bytes)
        } catch {
            taken?.free()
            completion(.failure(error))
        }
    }

    /// The changes of the next group, as soon as there are any, and frees their room. Empty after the time is up; nil after the
    /// queue was closed and emptied.
    package func takeGroup(within time: Duration) -> [Change]? {
        inbox.take(atMost: Self.largestGroup, bytes: Self.largestGroupBytes, within: time)?.map { waiting in
            waiting.room.free()
            return waiting.change
        }
    }

    /// Adds the measurements of what waits.
    package func measure(_ statistics: inout JournalStatistics) {
        (statistics.queuedChanges, statistics.queuedBytes) = room.occupied
        statistics.oldestWait = inbox.oldestWait
    }

    /// Accepts no more changes. Those that wait are still taken.
    package func close() {
        inbox.close()
    }
}
