import Synchronization

/// Whether a service is ready for requests.
final class Readiness: Sendable {
    private let withdrawn = Atomic(false)

    /// Whether the service still works, but wants no more requests.
    var isWithdrawn: Bool { withdrawn.load(ordering: .relaxed) }

    /// Makes load balancers stop sending requests.
    func withdraw() {
        withdrawn.store(true, ordering: .relaxed)
    }
}
