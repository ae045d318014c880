internal import Locking

/// The idempotency keys of operations that have no outcome yet, of all sessions. They are not part of a session in
/// memory, which may leave while the outcome is waited for.
final class KeysInUse: Sendable {
    private struct Use: Hashable {
        var session: String
        var key: String
    }

    private let uses = Lock<Set<Use>>([])

    /// Takes a key for one operation; false: another operation has it.
    func take(_ key: String, of session: String) -> Bool {
        uses.withLock { $0.insert(Use(session: session, key: key)).inserted }
    }

    func release(_ key: String, of session: String) {
        _ = uses.withLock { $0.remove(Use(session: session, key: key)) }
    }
}
