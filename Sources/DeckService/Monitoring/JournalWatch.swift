import DeckJournal
import Locking
import Logging

/// Whether the journal can be used and the service is prepared. The check is repeated only after a time, however many requests
/// ask.
final class JournalWatch: Sendable {
    typealias Finding = Result<Void, JournalError>

    private struct State {
        /// The result of the last check, and its time.
        var last: (finding: Finding, time: ContinuousClock.Instant)?
        var waiters = CheckWaiters<Finding>()
    }

    private let state = Lock(State())
    private let journal: any Journal
    private let preparation: Preparation
    private let logger: Logger
    private let lifetime: Duration

    /// - Parameters:
    ///   - preparation: if it failed at the start, each check repeats it.
    ///   - lifetime: how long a result is valid.
    init(
        _ journal: any Journal,
        preparation: Preparation = Preparation { $0(.success(())) },
        logger: Logger,
        lifetime: Duration = .seconds(1)
    ) {
        self.journal = journal
        self.preparation = preparation
        self.logger = logger
        self.lifetime = lifetime
    }

    /// Checks it. The completion may run before this returns, or later on any thread.
    ///
    /// - Returns: false if a check has been in progress for too long. The completion is not called then.
    @discardableResult
    func check(_ completion: @escaping @Sendable (Finding) -> Void) -> Bool {
        let now = ContinuousClock.now
        let (fresh, entry) = state.withLock { state -> (Finding?, CheckWaiters<Finding>.Entry) in
            if let last = state.last, now - last.time < lifetime { return (last.finding, .joined) }
            return (nil, state.waiters.enter(completion, at: now))
        }
        if let fresh { completion(fresh) }
        if case .first = entry { begin() }
        return entry != .tooLate
    }

    private func begin() {
        preparation.run { [self] prepared in
            guard case .success = prepared else { return found(prepared) }
            journal.check { [self] finding in found(finding) }
        }
    }

    private func found(_ finding: Finding) {
        let (former, waiters) = state.withLock { state in
            defer { state.last = (finding, .now) }
            return (state.last?.finding, state.waiters.finish())
        }
        tell(finding, after: former)
        for waiter in waiters { waiter(finding) }
    }

    /// Logs a change of the result.
    private func tell(_ finding: Finding, after former: Finding?) {
        switch (former, finding) {
        case (.failure, .success): logger.notice("the journal can be used again")
        case (.failure, .failure), (_, .success): break
        case (_, .failure(let error)): logger.error("not ready", metadata: ["reason": "\(error)"])
        }
    }
}
