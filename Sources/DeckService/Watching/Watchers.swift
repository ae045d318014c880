/// Those who are to be told when something has changed. They are told no more than that: whoever wants to know what it
/// is looks when it has the time, and finds the latest, however many changes there were.
struct Watchers: Sendable {
    /// Must not block: it runs on the thread of whoever has changed something.
    typealias Watcher = @Sendable () -> Void

    private var watchers: [Int: Watcher] = [:]
    private var last = 0

    var isEmpty: Bool {
        watchers.isEmpty
    }

    var all: [Watcher] {
        Array(watchers.values)
    }

    /// - Returns: the number by which it can be removed.
    mutating func add(_ watcher: @escaping Watcher) -> Int {
        last += 1
        watchers[last] = watcher
        return last
    }

    mutating func remove(_ number: Int) {
        watchers[number] = nil
    }
}
