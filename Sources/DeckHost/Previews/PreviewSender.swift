internal import DeckJournal
internal import Dispatch
internal import Locking
internal import Synchronization

/// Sends previews of the sessions for which other processes have asked, at a bounded rate.
final class PreviewSender: Sendable {
    private struct Request {
        /// No preview is sent after this time, unless another process asks again.
        var end: ContinuousClock.Instant
        var nextSending: ContinuousClock.Instant
        var isScheduled = false
        /// The requests since the last preview.
        var numbers: [UInt64] = []
    }

    /// A process that still wants previews asks again sooner.
    private static let lifetime = Duration.seconds(10)
    /// The shortest time between two previews of a session.
    private static let interval = Duration.milliseconds(33)

    /// How many requests a preview answers at most. Those of which none comes in time are made again.
    private static let mostNumbers = 64

    private let journal: SessionJournal
    private let requests = Lock<[String: Request]>([:])
    private let requestCount = Atomic(0)

    init(journal: SessionJournal) {
        self.journal = journal
    }

    /// Another process asks for previews of a session.
    func request(_ session: HostedSession, _ number: UInt64) {
        let now = ContinuousClock.now
        requests.withLock { requests in
            requests = requests.filter { $0.value.end > now }
            var request = requests[session.identity.id] ?? Request(end: now, nextSending: now)
            request.end = now + Self.lifetime
            request.numbers = request.numbers.suffix(Self.mostNumbers - 1) + [number]
            requests[session.identity.id] = request
            requestCount.store(requests.count, ordering: .relaxed)
        }
        sessionChanged(session)
    }

    /// A session has changed visibly. If a process has asked for it, a preview follows soon.
    func sessionChanged(_ session: HostedSession) {
        guard requestCount.load(ordering: .relaxed) > 0 else { return }
        let now = ContinuousClock.now
        let delay = requests.withLock { requests -> Duration? in
            guard var request = requests[session.identity.id], request.end > now, !request.isScheduled else {
                return nil
            }
            request.isScheduled = true
            requests[session.identity.id] = request
            return max(.zero, request.nextSending - now)
        }
        guard let delay else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + delay / .seconds(1)) { [weak self] in self?.send(session) }
    }

    private func send(_ session: HostedSession) {
        let id = session.identity.id
        // A change from now on is sent with the next preview.
        let numbers = requests.withLock { requests in
            requests[id]?.isScheduled = false
            requests[id]?.nextSending = .now + Self.interval
            return requests[id]?.numbers ?? []
        }
        // While the session is being committed there is none. A preview follows when it is.
        guard var preview = session.makePreview() else { return }
        preview.requests = numbers
        journal.send(preview, of: id)
        requests.withLock { $0[id]?.numbers.removeAll { numbers.contains($0) } }
    }
}
