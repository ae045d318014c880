import DeckJournal
import JournalTesting
import Locking

/// A journal that does what it is asked for at once, and completes some of it only when the test lets it: so a test can
/// have anything happen in between.
final class StallingJournal: ForwardingJournal {
    /// What is held back.
    enum Call {
        case load
        case create
        case answer
        case commit
        case end
    }

    private struct State {
        var stalled: Call?
        var completions: [@Sendable () -> Void] = []
        /// The errors with which the next commits are completed, whatever their outcome was.
        var commitErrors: [JournalError] = []
        /// The errors with which the next creations are completed, whatever their outcome was.
        var creationErrors: [JournalError] = []
        /// The error with which ends are refused; nil: they are not.
        var endError: JournalError?
        var loads = 0
        var created: [String] = []
        var entries: [Entry] = []
    }

    let inner: any Journal
    private let state = Lock(State())

    init(_ inner: any Journal = MemoryJournal()) {
        self.inner = inner
    }

    /// How often a session was loaded.
    var loads: Int { state.withLock { $0.loads } }

    /// The ids of the sessions that were created.
    var created: [String] { state.withLock { $0.created } }

    /// The entries that were appended, repetitions included.
    var entries: [Entry] { state.withLock { $0.entries } }

    /// How many completions are held back.
    var heldCount: Int { state.withLock { $0.completions.count } }

    /// Holds back the completions of a call from now on.
    func stall(_ call: Call) {
        state.withLock { $0.stalled = call }
    }

    /// Completes what was held back, and holds nothing back any more.
    func release() {
        let completions = state.withLock { state in
            state.stalled = nil
            defer { state.completions = [] }
            return state.completions
        }
        for completion in completions { completion() }
    }

    /// Has the next commit completed with an error although it succeeds.
    func failNextCommit(with error: JournalError) {
        state.withLock { $0.commitErrors.append(error) }
    }

    /// Has the next creation completed with an error although it succeeds.
    func failNextCreation(with error: JournalError) {
        state.withLock { $0.creationErrors.append(error) }
    }

    /// Refuses to end sessions from now on.
    func refuseEnds(with error: JournalError) {
        state.withLock { $0.endError = error }
    }

    private func complete(_ call: Call, _ completion: @escaping @Sendable () -> Void) {
        let isHeld = state.withLock { state in
            guard state.stalled == call else { return false }
            state.completions.append(completion)
            return true
        }
        if !isHeld { completion() }
    }

    func load(_ id: String, completion: @escaping JournalCompletion<SessionFinding>) {
        state.withLock { $0.loads += 1 }
        inner.load(id) { [self] result in complete(.load) { completion(result) } }
    }

    func create(_ session: NewSession, completion: @escaping JournalCompletion<Revision>) {
        inner.create(session) { [self] result in
            let error = state.withLock { state -> JournalError? in
                state.created.append(session.identity.id)
                return state.creationErrors.isEmpty ? nil : state.creationErrors.removeFirst()
            }
            complete(.create) { completion(error.map { .failure($0) } ?? result) }
        }
    }

    func answer(of session: String, key: String, completion: @escaping JournalCompletion<AnswerRecord?>) {
        inner.answer(of: session, key: key) { [self] result in complete(.answer) { completion(result) } }
    }

    func append(
        _ entry: Entry,
        to id: String,
        after revision: Revision,
        using reservation: Reservation,
        completion: @escaping JournalCompletion<Revision>
    ) {
        state.withLock { $0.entries.append(entry) }
        inner.append(entry, to: id, after: revision, using: reservation) { [self] result in
            let error = state.withLock { $0.commitErrors.isEmpty ? nil : $0.commitErrors.removeFirst() }
            complete(.commit) { completion(error.map { .failure($0) } ?? result) }
        }
    }

    func end(_ id: String, at revision: Revision?, completion: @escaping JournalCompletion<SessionEnding>) {
        guard let error = state.withLock({ $0.endError }) else {
            return inner.end(id, at: revision) { [self] result in complete(.end) { completion(result) } }
        }
        complete(.end) { completion(.failure(error)) }
    }
}
