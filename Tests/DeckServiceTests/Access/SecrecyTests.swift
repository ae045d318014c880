import DeckHost
import Foundation
import Locking
import Logging
import Testing

@testable import DeckService

/// Every line that is logged, with all that goes with it.
private final class LogBook: Sendable {
    struct Handler: LogHandler {
        let book: LogBook
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            book.lines.withLock { $0.append("\(event.level) \(event.message) \(all)") }
        }
    }

    let lines = Lock<[String]>([])

    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    var logger: Logger { Logger(label: "test") { _ in Handler(book: self) } }
}

@Suite(.serialized) struct SecrecyTests {
    /// A request in all the ways that it can carry a secret, most of them wrong.
    private func requests(_ target: String, _ secret: String) -> [[String]] {
        let field = "Authorization: Bearer \(secret)"
        let token = "access_token=\(secret)"
        return [
            ["\(target) HTTP/1.1", field], ["\(target)?\(token) HTTP/1.1"], ["\(target)?\(token)&x HTTP/1.1"],
            ["\(target)?\(token)&\(token) HTTP/1.1"], ["\(target)?\(token)&%zz HTTP/1.1"],
            ["\(target) HTTP/1.1", "Authorization: Basic \(secret)"],
            ["\(target) HTTP/1.1", "Authorization: \(secret)"],
            ["\(target) HTTP/1.1", field, field], ["\(target)?\(token) HTTP/1.1", field],
            ["\(target) HTTP/1.1", field, "Content-Length: x"], ["\(target) HTTP/1.1", field, "Transfer-Encoding: x"],
            ["\(target) HTTP/9.9", field], ["\(target) \(secret)"],
            ["\(target) HTTP/1.1", field, "X-Long: " + String(repeating: "a", count: 60_000)],
        ]
    }

    @Test func noTokenIsInTheLogOrInAnyAnswer() async throws {
        let book = LogBook()
        try await withGuardedService(logger: book.logger) { service in
            let session = try await service.begin()
            let secrets = session.all + [service.key, freshToken()]
            var answers = ""
            for secret in secrets {
                for target in [
                    "GET \(session.path)/frame", "GET /v1/decks", "GET /nowhere", "PUT /v1/decks/d", "BREW /v1/decks",
                    "POST \(session.path)/events", "GET /v1/sessions/unknown/frame", "DELETE /v1/sessions/unknown",
                ] {
                    for lines in requests(target, secret) {
                        answers += try sendRaw(lines, to: service.stranger.base).text
                    }
                }
            }
            #expect(answers.contains("HTTP/1.1 200") && answers.contains("HTTP/1.1 401"))
            for secret in secrets {
                #expect(!answers.contains(secret))
                let hash = tokenHash(secret)
                let digits = hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                for form in [secret, digits, "\(hash)"] {
                    let line = book.text.split(separator: "\n").first { $0.contains(form) }
                    #expect(line == nil)
                }
            }
            // The book is not just closed: what the library says of the bad requests above is in it.
            #expect(book.text.contains("libmicrohttpd"))
        }
    }
}
