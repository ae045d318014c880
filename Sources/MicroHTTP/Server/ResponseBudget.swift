internal import Synchronization

/// How many bytes of responses wait to be sent, over all workers.
///
/// Short responses do not count: their number is limited by that of the connections. A longer response counts with all of its
/// bytes.
final class ResponseBudget: Sendable {
    /// A response with at most this number of bytes does not count.
    private static let freeBytes = 16_384

    private let limitBytes: Int
    private let used = Atomic(0)

    init(limitBytes: Int) {
        self.limitBytes = limitBytes
    }

    /// How many bytes wait.
    var usedBytes: Int { used.load(ordering: .relaxed) }

    /// Reserves the bytes of a response, if they count.
    ///
    /// - Parameter isOfChange: whether the request may have changed something. Its client should learn what came of it, so there
    ///   is as much room again for such responses.
    /// - Returns: how many were reserved, to be released later; nil: there is no room for them.
    func reserve(_ bytes: Int, isOfChange: Bool = false) -> Int? {
        guard bytes > Self.freeBytes else { return 0 }
        let total = used.add(bytes, ordering: .relaxed).newValue
        guard total > (isOfChange ? 2 * limitBytes : limitBytes) else { return bytes }
        used.subtract(bytes, ordering: .relaxed)
        return nil
    }

    func release(_ bytes: Int) {
        if bytes > 0 { used.subtract(bytes, ordering: .relaxed) }
    }
}
