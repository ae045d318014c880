internal import Synchronization

/// How many bytes of responses wait to be sent, over all workers.
///
/// Short responses do not count: their number is limited by that of the connections.
final class ResponseBudget: Sendable {
    /// The bytes of a response that do not count.
    private static let freeBytes = 16_384

    private let limitBytes: Int
    private let used = Atomic(0)

    init(limitBytes: Int) {
        self.limitBytes = limitBytes
    }

    /// How many bytes wait.
    var usedBytes: Int { used.load(ordering: .relaxed) }

    /// Whether there is no room.
    var isFull: Bool { usedBytes >= limitBytes }

    /// Takes the bytes of a response that must be sent, even if there is no room for them.
    ///
    /// - Returns: how many were taken, to be given back later.
    func takeAnyway(_ bytes: Int) -> Int {
        guard bytes > Self.freeBytes else { return 0 }
        used.add(bytes, ordering: .relaxed)
        return bytes
    }

    /// Takes the bytes of a response, if they count.
    ///
    /// - Returns: how many were taken, to be given back later; nil: there is no room for them.
    func take(_ bytes: Int) -> Int? {
        guard bytes > Self.freeBytes else { return 0 }
        let total = used.add(bytes, ordering: .relaxed).newValue
        guard total > limitBytes else { return bytes }
        used.subtract(bytes, ordering: .relaxed)
        return nil
    }

    /// Returns what was taken.
    func giveBack(_ bytes: Int) {
        if bytes > 0 { used.subtract(bytes, ordering: .relaxed) }
    }
}
