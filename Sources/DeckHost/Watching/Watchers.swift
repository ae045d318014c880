/// Those who are to be told when something has changed. They are told no more than that: whoever wants to know what it
/// is looks when it has the time, and finds the latest, however many changes there were.
public struct Watchers: Sendable {
    /// Must not block: it runs on the thread of whoever has changed something.
    public typealias Watcher = @Sendable () -> Void

    private var watchers: [Int: Watcher] = [:]
    private var last = 0

    /// Nobody.
    public init() {}

    /// Whether there are none.
    public var isEmpty: Bool {
        watchers.isEmpty
    }

    /// All of them.
    public var all: [Watcher] {
        Array(watchers.values)
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
