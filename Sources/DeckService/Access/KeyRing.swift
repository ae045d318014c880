import Locking

/// The API keys. They can be replaced while requests are answered.
final class KeyRing: Sendable {
    private let keys: Lock<[APIKey]>
    /// Whether there are no keys. This never changes, because a server without keys admits other requests.
    let isEmpty: Bool

    init(_ keys: [APIKey]) {
        self.keys = Lock(keys)
        isEmpty = keys.isEmpty
    }

    /// Replaces the keys for later requests. It does nothing if this would remove all keys or add the first ones.
    func replace(with keys: [APIKey]) {
        guard keys.isEmpty == isEmpty else { return }
        self.keys.withLock { $0 = keys }
    }

    /// The key with a hash; nil: there is none. The hash is compared with every key, so the time does not depend on the key.
    func key(ofHash hash: [UInt8]) -> APIKey? {
        var found: APIKey?
        for key in keys.withLock({ $0 }) where isSameInConstantTime(key.hash, hash) { found = key }
        return found
    }
}
