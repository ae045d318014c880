/// Keeps changes waiting while a large change is made on the pool, or while it is decided whether the session ends.
struct Hold: Sendable {
    typealias WaitingChange = @Sendable () -> Void

    /// The maximum number of changes that wait.
    private static let maximumWaiting = 256

    private(set) var isTaken = false
    private(set) var waiting: [WaitingChange] = []

    mutating func take() {
        isTaken = true
    }

    /// Makes a change wait until the hold is released. Returns false if too many wait.
    mutating func wait(_ change: @escaping WaitingChange) -> Bool {
        guard waiting.count < Self.maximumWaiting else { return false }
        waiting.append(change)
        return true
    }

    /// Ends the hold.
    ///
    /// - Returns: the changes that have waited. They must be made after the session's lock is released.
    mutating func release() -> [WaitingChange] {
        isTaken = false
        defer { waiting = [] }
        return waiting
    }
}
