import Synchronization

/// Whether a service is to be asked at all.
final class Readiness: Sendable {
    private let withdrawn = Atomic(false)

    /// Whether the service works, but is to be asked no more.
    var isWithdrawn: Bool { withdrawn.load(ordering: .relaxed) }

    /// Has whoever spreads requests over several servers leave this one alone from now on.
    func withdraw() {
        withdrawn.store(true, ordering: .relaxed)
    }
}
