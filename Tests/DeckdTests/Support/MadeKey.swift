import Testing

/// An API key that `deckd key` has made.
struct MadeKey {
    var name: String
    var secret: String
    var hash: String

    var line: String { "\(name) \(hash)\n" }
    var entry: String { "\(name):\(hash)" }
}

extension Command.Result {
    /// The key that `deckd key` has written.
    var secret: String? { errors.firstMatch(of: /^key: (deckd_[A-Za-z0-9_-]{22})\n/).map { String($0.1) } }
}

func makeKey(_ name: String) throws -> MadeKey {
    let result = try Command.run("key", name)
    #expect(result.status == 0)
    let line = try #require(result.output.wholeMatch(of: /(\S+) ([0-9a-f]{64})\n/))
    #expect(line.1 == name)
    return MadeKey(name: name, secret: try #require(result.secret), hash: String(line.2))
}
