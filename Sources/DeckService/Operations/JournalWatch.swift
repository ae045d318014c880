import DeckJournal
import Locking
import Logging

/// Whether the journal can be used and the service is prepared. The check is repeated only after a time, however many requests
/// ask.
final class JournalWatch: Sendable {
    typealias Completion = @Sendable (Result<Void, JournalError>) -> Void

    private struct State {
        /// The result of the last check, and its time.
        var finding: Result<Void, JournalError>?
        var time: ContinuousClock.Instant?
        var waiting: [Completion] = []
        var isChecking = false
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
    func check(_ completion: @escaping Completion) {
        let now = ContinuousClock.now
        let (fresh, isFirst) = state.withLock { state -> (Result<Void, JournalError>?, Bool) in
            if let finding = state.finding, let time = state.time, now - time < lifetime { return (finding, false) }
            state.waiting.append(completion)
            defer { state.isChecking = true }
            return (nil, !state.isChecking)
        }
        if let fresh { return completion(fresh) }
        guard isFirst else { return }
        preparation.run { [self] prepared in
            guard case .success = prepared else { return found(prepared) }
            journal.check { [self] finding in found(finding) }
        }
    }

    private func found(_ finding: Result<Void, JournalError>) {
        let (former, waiting) = state.withLock { state in
            defer { state = State(finding: finding, time: .now) }
            return (state.finding, state.waiting)
        }
        tell(finding, after: former)
        for completion in waiting { completion(finding) }
    }

    /// Logs a change of the result.
    private func tell(_ finding: Result<Void, JournalError>, after former: Result<Void, JournalError>?) {
        switch (former, finding) {
        case (.failure, .success): logger.notice("the journal can be used again")
        case (.failure, .failure), (_, .success): break
        case (_, .failure(let error)): logger.error("not ready", metadata: ["reason": "\(error)"])
        }
    }
}
