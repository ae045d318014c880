/// The API keys there are.
struct KeyRing: Sendable {
    private let keys: [APIKey]

    init(_ keys: [APIKey]) {
        self.keys = keys
    }

    var isEmpty: Bool { keys.isEmpty }

    /// The name of the key with a hash; nil: there is none. Every key is looked at, whichever it is.
    func name(ofHash hash: [UInt8]) -> String? {
        var name: String?
        for key in keys where isSameInConstantTime(key.hash, hash) { name = key.name }
        return name
    }
}
