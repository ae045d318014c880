import Testing

@testable import DeckService

/// A server without API keys refuses requests of web pages of other sites.
@Suite(.serialized) struct PageGuardTests {
    private static let get = "GET /v1/decks HTTP/1.1"

    /// Sends a request with these lines after the first one, and expects a status.
    private func expect(_ status: Int, _ lines: [String], _ base: String, first: String = get) throws {
        let head = ([first] + lines + ["Connection: close", "", ""]).joined(separator: "\r\n")
        let text = try sendRaw(Array(head.utf8), to: base)
        #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(first), \(lines)")
        guard status == 403 else { return }
        #expect(text.contains(#""type":"/problems/foreign-page""#), "\(text)")
        // No credentials would help.
        #expect(!text.lowercased().contains("www-authenticate"), "\(text)")
    }

    @Test func aHostThatIsNotLoopbackIsRefused() async throws {
        try await withService(configure: { $0.allowedHosts = ["Deckd.example.org"] }) { client in
            for host in [
                "127.0.0.1", "127.0.0.1:8080", "127.1.2.3", "localhost", "LOCALHOST:80", "[::1]", "[::1]:8080",
                "deckd.example.org", "DECKD.example.org:443",
            ] {
                try expect(200, ["Host: \(host)"], client.base)
            }
            for host in [
                "evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1",
                "[::2]", "[::1", "[::1].evil.example", "128.0.0.1", "0x7f.1", "deckd.example.org.evil.example", "",
            ] {
                for first in ["GET /v1/decks HTTP/1.1", "GET /metrics HTTP/1.1", "POST /v1/sessions HTTP/1.1"] {
                    try expect(403, ["Host: \(host)"], client.base, first: first)
                }
            }
        }
    }

    @Test func aForeignOriginIsRefused() async throws {
        try await withService(configure: { $0.allowedOrigins = ["https://app.example.org"] }) { client in
            for origin in [
                "https://app.example.org", "http://localhost:80", "https://localhost", "http://127.0.0.1:5173",
                "http://[::1]:8080",
            ] {
                try expect(200, ["Host: localhost:80", "Origin: \(origin)"], client.base)
            }
            for origin in [
                "https://evil.example", "null", "http://localhost.evil.example", "https://app.example.org.evil.example",
                "http://10.0.0.1", "https://evil.example://localhost", "http://evil.example/localhost", "localhost", "",
            ] {
                try expect(403, ["Host: localhost:80", "Origin: \(origin)"], client.base)
            }
            let both = ["Host: localhost", "Origin: http://localhost", "Origin: https://evil.example"]
            try expect(403, both, client.base)
        }
        try await withService(configure: { $0.allowedOrigins = ["*"] }) { client in
            try expect(200, ["Host: localhost", "Origin: https://anything.example"], client.base)
        }
    }

    @Test func aPostWithoutATypeIsRefused() async throws {
        try await withService { client in
            let post = "POST /v1/sessions HTTP/1.1"
            let length = ["Host: localhost", "Content-Length: 0"]
            try expect(415, length, client.base, first: post)
            try expect(415, length + ["Content-Type: text/plain"], client.base, first: post)
            // The type is accepted, and the body is not.
            try expect(400, length + ["Content-Type: application/json"], client.base, first: post)
        }
    }

    @Test func withKeysEveryNameAndOriginIsAnswered() async throws {
        try await withGuardedService { service in
            let lines = ["Host: deckd.example.org", "Origin: https://anything.example"]
            try expect(401, lines, service.stranger.base)
        }
    }
}
