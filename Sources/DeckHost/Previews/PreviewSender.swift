internal import DeckJournal
internal import Dispatch
internal import Locking
internal import Synchronization

/// Sends previews of the sessions for which other processes have asked, at a bounded rate.
final class PreviewSender: Sendable {
    /// What other processes want of a session.
    private struct Demand {
        /// No preview is sent after this time, unless another process asks again.
        var end: ContinuousClock.Instant
        var nextSending: ContinuousClock.Instant
        var isScheduled = false
        /// The numbers of the requests since the last preview.
        var requestNumbers: [UInt64] = []
    }

    /// A process that still wants previews asks again sooner.
    private static let lifetime = Duration.seconds(10)
    /// The shortest time between two previews of a session.
    private static let interval = Duration.milliseconds(33)

    /// How many requests a preview answers at most. Those of which none comes in time are made again.
    private static let mostRequestNumbers = 64

    private let journal: SessionJournal
    private let demands = Lock<[String: Demand]>([:])
    private let demandCount = Atomic(0)

    init(journal: SessionJournal) {
        self.journal = journal
    }

    /// Answers a request of another process with the next previews of a session.
    func answer(_ number: UInt64, about session: HostedSession) {
        let now = ContinuousClock.now
        demands.withLock { demands in
            demands = demands.filter { $0.value.end > now }
            var demand = demands[session.identity.id] ?? Demand(end: now, nextSending: now)
            demand.end = now + Self.lifetime
            demand.requestNumbers = demand.requestNumbers.suffix(Self.mostRequestNumbers - 1) + [number]
            demands[session.identity.id] = demand
            demandCount.store(demands.count, ordering: .relaxed)
        }
        sessionChanged(session)
    }

    /// A session has changed visibly. If a process has asked for it, a preview follows soon.
    func sessionChanged(_ session: HostedSession) {
        guard demandCount.load(ordering: .relaxed) > 0 else { return }
        let now = ContinuousClock.now
        let delay = demands.withLock { demands -> Duration? in
            guard var demand = demands[session.identity.id], demand.end > now, !demand.isScheduled else {
                return nil
            }
            demand.isScheduled = true
            demands[session.identity.id] = demand
            return max(.zero, demand.nextSending - now)
        }
        guard let delay else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + delay / .seconds(1)) { [weak self] in self?.send(session) }
    }

    private func send(_ session: HostedSession) {
        let id = session.identity.id
        // A change from now on is sent with the next preview.
        let numbers = demands.withLock { demands in
            demands[id]?.isScheduled = false
            demands[id]?.nextSending = .now + Self.interval
            return demands[id]?.requestNumbers ?? []
        }
        // While the session is being committed there is none. A preview follows when it is.
        guard var preview = session.makePreview() else { return }
        preview.requests = numbers
        journal.send(preview, of: id)
        demands.withLock { $0[id]?.requestNumbers.removeAll { numbers.contains($0) } }
    }
}
