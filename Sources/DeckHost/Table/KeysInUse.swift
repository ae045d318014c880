internal import Locking

/// The idempotency keys of requests that have no outcome yet. They are not part of a session in memory, which may leave while the
/// outcome is waited for.
///
/// The scope of a key is a session's id, or that of a ``CreationKey``.
final class KeysInUse: Sendable {
    private struct Use: Hashable {
        var scope: String
        var key: String
    }

    private let uses = Lock<Set<Use>>([])

    /// Takes a key for one request; false: another request has it.
    func take(_ key: String, in scope: String) -> Bool {
        uses.withLock { $0.insert(Use(scope: scope, key: key)).inserted }
    }

    func release(_ key: String, in scope: String) {
        _ = uses.withLock { $0.remove(Use(scope: scope, key: key)) }
    }
}
