import Foundation
import Testing

@testable import DeckService

/// What a client sends must not become a line of the answer's head, or a way around the gate.
@Suite(.serialized) struct InjectionTests {
    private func head(_ text: String) -> [String] {
        text.components(separatedBy: "\r\n\r\n")[0].components(separatedBy: "\r\n")
    }

    @Test func nothingThatIsSentBecomesALineOfTheHead() async throws {
        try await withGuardedService(configure: { $0.allowedOrigins = ["https://app.example.org"] }) { service in
            let key = "Authorization: Bearer \(service.key)"
            let session = try await service.begin()
            for line in ["%0d%0a", "%0D%0A", "%0a", "%0d", "%00", "%E5%98%8A%E5%98%8D", "%c2%85"] {
                let evil = "a\(line)X-Evil:%201"
                for target in [
                    "PUT /v1/decks/\(evil)", "GET /v1/decks/\(evil)", "GET /v1/decks?cursor=\(evil)",
                    "GET /v1/decks?\(evil)=1", "GET /v1/sessions/\(evil)/frame", "GET \(session.path)/cards/\(evil)",
                    "GET \(session.path)/frame?fields=\(evil)", "GET /problems/\(evil)", "GET /\(evil)",
                    "DELETE /v1/sessions/\(evil)", "GET \(session.path)/frame?access_token=\(evil)",
                ] {
                    let isToken = target.contains("access_token")
                    let body = ["Content-Type: application/json", "Content-Length: 0"]
                    let lines = ["\(target) HTTP/1.1"] + (isToken ? [] : [key]) + (target.hasPrefix("PUT") ? body : [])
                    let (status, text) = try sendRaw(lines, to: service.stranger.base)
                    #expect([400, 401, 404].contains(status), "\(target): \(text.prefix(60))")
                    #expect(!head(text).contains { $0.lowercased().hasPrefix("x-evil") }, "\(target)")
                }
            }
        }
    }

    @Test func bytesThatAreNoTextAreNotSentBack() async throws {
        try await withGuardedService(configure: { $0.allowedOrigins = ["https://app.example.org"] }) { service in
            let session = try await service.begin()
            let values: [[UInt8]] = [
                [0xFF, 0xFE], [0xC0, 0xAF], [0x61, 0x00, 0x62], [0x0D], [0x1B, 0x5B, 0x31], [0xED, 0xA0, 0x80], [0x7F],
            ]
            let target = "\(session.path)/frame?access_token=\(session.full)"
            for name in ["Origin", "Idempotency-Key", "If-None-Match", "X-Request-Id", "traceparent", "Authorization"] {
                for value in values {
                    let begin = Array("GET \(target) HTTP/1.1\r\n\(name): ".utf8)
                    let end = Array("\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
                    let text = try sendRaw(begin + value + end, to: service.stranger.base)
                    let status = Int(text.dropFirst(9).prefix(3)) ?? 0
                    #expect(name == "Authorization" ? status == 400 : [200, 400].contains(status), "\(name) \(value)")
                    let sentBack = head(text).contains { line in
                        line.unicodeScalars.contains { $0.value < 0x20 || $0.value >= 0x7F }
                    }
                    #expect(!sentBack, "\(name): \(value)")
                }
            }
        }
    }

    @Test func noWayOfWritingAPathLeadsAroundTheGate() async throws {
        try await withGuardedService { service in
            let session = try await service.begin()
            let id = session.path.dropFirst("/v1/sessions/".count)
            let paths = [
                "/v1/decks/", "//v1/decks", "/v1//decks", "/./v1/decks", "/v1/../v1/decks", "/problems/../v1/decks",
                "/problems/%2e%2e/v1/decks", "/problems/..%2Fv1%2Fdecks", "/problems/..%2f..%2fv1/decks", "/V1/decks",
                "/v1/decks%2Fsample", "/v1/decks%00", "/v1/decks/sample%00.html", "/v1/decks;/sample", "/v1%2Fdecks",
                "/v1/decks/%252e%252e", "/v1/decks/%c0%ae%c0%ae", "/v1/decks/%ff", "/v1/decks/%f8%80%80%80%af",
                "/v1/decks/%", "/v1/decks/%2", "/v1/decks/%zz", "/v1/decks\\sample", "/v1/decks?%2e", "/v1/decks#x",
                "/v1/sessions/\(id)/../\(id)/frame", "/v1/sessions/\(id)%2Fframe", "/v1/sessions/%2e/\(id)/frame",
                "/v1/sessions/\(id)%00x/frame", "/v1/sessions/\(id)/frame/", "/v1/sessions/\(id)/frame%20",
                "/v1/sessions/\(id)/frame/..", "http://elsewhere/v1/decks", "/v1/sessions/\(id)/cards/0%2F..",
                "/v1/decks/" + String(repeating: "a", count: 8000), "/" + String(repeating: "../", count: 2000) + "v1",
                "/v1/decks/" + String(repeating: "%2e%2e%2f", count: 800),
                "/v1/decks/" + String(repeating: "a", count: 90_000),
            ]
            for path in paths {
                for method in ["GET", "DELETE", "PUT"] {
                    let (status, text) = try sendRaw(["\(method) \(path) HTTP/1.1"], to: service.stranger.base)
                    #expect([400, 401, 404, 405, 414].contains(status), "\(method) \(path.prefix(60)): \(status)")
                    #expect(!text.contains("cardCount"))
                }
            }
            #expect(try await service.backEnd.get("\(session.path)/frame").status == 200)
            // Writing a letter in another way does not make it another one.
            let line = "GET /v1/sessions/\(id)/%66rame HTTP/1.1"
            #expect(try sendRaw([line], to: service.stranger.base).status == 401)
            let good = try sendRaw([line, "Authorization: Bearer \(session.full)"], to: service.stranger.base)
            #expect(good.status == 200)
        }
    }
}
