import Synchronization

/// Whether a service is to be asked at all.
final class Readiness: Sendable {
    private let withdrawn = Atomic(false)

    /// Whether the service works, but is to be asked no more.
    var isWithdrawn: Bool { withdrawn.load(ordering: .relaxed) }

    /// Tells load balancers to send no more requests.
    func withdraw() {
        withdrawn.store(true, ordering: .relaxed)
    }
}
