/// The watchers of a session. A watcher is notified that something has changed, and of nothing more. It then reads the
/// session when it can, and finds the latest state, however many changes there were.
public struct Watchers: Sendable {
    /// Must not block: it runs on the thread that made the change.
    public typealias Watcher = @Sendable () -> Void

    private var watchers: [Int: Watcher] = [:]
    private var last = 0

    /// No watchers.
    public init() {}

    /// Whether there are no watchers.
    public var isEmpty: Bool {
        watchers.isEmpty
    }

    /// All watchers.
    public var all: [Watcher] {
        watchers.isEmpty ? [] : Array(watchers.values)
    }

    /// Adds a watcher.
    ///
    /// - Returns: the number by which it can be removed.
    public mutating func add(_ watcher: @escaping Watcher) -> Int {
        last += 1
        watchers[last] = watcher
        return last
    }

    /// Removes the watcher of a number.
    public mutating func remove(_ number: Int) {
        watchers[number] = nil
    }
}
