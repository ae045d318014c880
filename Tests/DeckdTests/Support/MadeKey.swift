import Testing

/// An API key that `deckd key` has made.
struct MadeKey {
    var name: String
    var secret: String
    var hash: String

    var line: String { "\(name) \(hash)\n" }
    var entry: String { "\(name):\(hash)" }
}

func makeKey(_ name: String) throws -> MadeKey {
    let result = try Command.run("key", name)
    #expect(result.status == 0 && result.errors.isEmpty)
    let parts = try #require(
        result.output.wholeMatch(of: /key: (deckd_[A-Za-z0-9_-]{22})\nline: (\S+) ([0-9a-f]{64})\n/)
    )
    #expect(parts.2 == name)
    return MadeKey(name: name, secret: String(parts.1), hash: String(parts.3))
}
