import DeckJournal
import JSONTesting
import Logging

@testable import DeckService

/// A service with one API key, and clients of it.
struct GuardedService: Sendable {
    /// Says nothing of who it is.
    let stranger: Client
    /// Has the key.
    let backEnd: Client
    /// The key.
    let key: String

    struct Failure: Error {
        var description: String
    }

    /// Creates a session, and returns its tokens.
    func begin(_ deck: String = #"{"count":9}"#, more: String = "") async throws -> Tokens {
        let session = try await backEnd.begin(deck, more: more)
        let answer = session.created.json
        guard let tokens = Tokens(answer) else { throw Failure(description: "no tokens: \(session.created.text)") }
        return tokens
    }
}

/// A session's path and tokens.
struct Tokens: Sendable {
    let path: String
    let full: String
    let player: String
    let spectator: String

    /// - Parameter answer: the answer that created the session.
    init?(_ answer: JSON) {
        guard let id = answer["id"].text, let full = answer["token"].text, let player = answer["playerToken"].text,
            let spectator = answer["spectatorToken"].text
        else { return nil }
        path = "/v1/sessions/\(id)"
        (self.full, self.player, self.spectator) = (full, player, spectator)
    }

    /// The three tokens.
    var all: [String] { [full, player, spectator] }
}

/// The headers for a token or a key.
func bearer(_ token: String) -> [String: String] { ["Authorization": "Bearer \(token)"] }

/// Runs a service that has a key while the body runs.
func withGuardedService(
    journal: any Journal = MemoryJournal(),
    configure: (inout ServiceConfiguration) -> Void = { _ in },
    logger: Logger? = nil,
    _ body: (GuardedService) async throws -> Void
) async throws {
    guard let (key, secret) = APIKey.make(name: "app") else { throw GuardedService.Failure(description: "no key") }
    try await withService(
        journal: journal,
        configure: { configuration in
            configuration.apiKeys.append(key)
            configure(&configuration)
        },
        logger: logger
    ) { client in
        var backEnd = client
        backEnd.headers = bearer(secret)
        try await body(GuardedService(stranger: client, backEnd: backEnd, key: secret))
    }
}
