import DeckJournal
import JournalTesting
import Locking

/// A journal that cannot be used while the test says so, or does not answer.
final class SickJournal: ForwardingJournal {
    enum Health {
        case sound
        case failing
        case silent
    }

    let inner: any Journal = MemoryJournal()
    private let state = Lock((health: Health.sound, checks: 0))

    var health: Health {
        get { state.withLock { $0.health } }
        set { state.withLock { $0.health = newValue } }
    }

    /// How often it was asked whether it can be used.
    var checks: Int { state.withLock { $0.checks } }

    func check(completion: @escaping JournalCompletion<Void>) {
        let health = state.withLock { state in
            state.checks += 1
            return state.health
        }
        answer(health, completion) { inner.check(completion: completion) }
    }

    func counts(completion: @escaping JournalCompletion<JournalCounts>) {
        answer(health, completion) { inner.counts(completion: completion) }
    }

    private func answer<Value: Sendable>(
        _ health: Health,
        _ completion: JournalCompletion<Value>,
        _ body: () -> Void
    ) {
        switch health {
        case .sound: body()
        case .failing: completion(.failure(.unavailable("the test has it fail")))
        case .silent: break
        }
    }
}
