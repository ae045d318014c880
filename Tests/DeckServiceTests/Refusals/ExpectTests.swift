import Foundation
import JSONTesting
import SocketTesting
import Testing

@testable import DeckService

/// Requests with `Expect: 100-continue` and without a body, which are followed by another request.
struct ExpectTests {
    @Test func theyAreAnsweredAndNothingFails() async throws {
        let reader = LogReader(.json)
        try await withService(configure: { $0.log = reader.output }) { client in
            let session = try await client.begin(#"{"count":3}"#)
            let raw = try RawClient(port: try #require(URL(string: client.base)?.port))
            let empty = "Content-Length: 0\r\n"
            let requests = [
                ("GET /livez", "", 200), ("GET \(session.path)/frame", "", 200), ("DELETE \(session.path)", "", 204),
                ("POST /v1/sessions", empty + "Content-Type: application/json\r\n", 400), ("GET /nope", "", 404),
                ("POST /livez", empty, 405), ("DELETE /livez", "", 405),
                ("POST /v1/sessions", empty + "Content-Type: text/plain\r\n", 415),
            ]
            for (line, headers, status) in requests {
                try raw.send(
                    "\(line) HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\(headers)\r\n"
                        + "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
                )
                #expect(try raw.readAnswer().status == 100)
                #expect(try raw.readAnswer().status == status, "\(line)")
                #expect(try raw.readAnswer().status == 200)
            }
        }
        #expect(!reader.lines().map(json).contains { $0["level"] == "error" })
    }
}
