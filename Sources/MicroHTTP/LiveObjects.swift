internal import Synchronization

/// How many objects of a kind there are, counted in debug builds only: by this the tests know that none is lost.
final class LiveObjects: Sendable {
    static let exchanges = LiveObjects()
    static let flights = LiveObjects()
    static let streams = LiveObjects()
    static let connections = LiveObjects()

    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    func add() {
        #if DEBUG
        number.add(1, ordering: .relaxed)
        #endif
    }

    func remove() {
        #if DEBUG
        number.subtract(1, ordering: .relaxed)
        #endif
    }
}
