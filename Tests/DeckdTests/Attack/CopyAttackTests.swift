import FileTesting
import Foundation
import SocketTesting
import Testing

/// Copies of a session, made with its token and with theirs.
struct CopyAttackTests {
    private struct Made {
        var path: String
        var token: String
    }

    private func post(_ path: String, token: String, _ body: String, port: Int) throws -> Answer {
        try #require(Answer(port, "POST", path, body, headers: ["Authorization: Bearer \(token)"]))
    }

    private func made(_ text: String) throws -> Made {
        let id = try #require(text.firstMatch(of: /"id":"([^"]+)"/)).1
        let token = try #require(text.firstMatch(of: /"token":"([^"]+)"/)).1
        return Made(path: "/v1/sessions/\(id)", token: String(token))
    }

    @Test(arguments: [false, true], [nil, 10]) func aFamilyHasOneAccountAndFewCopies(isDurable: Bool, limit: Int?)
        throws
    {
        let folder = try TemporaryFolder()
        let server = try RunningServer(
            environment: [
                "DECKD_LIMITS_COPIES_PER_SESSION": "\(limit ?? 1000)", "DECKD_LIMITS_COST_PER_SECOND": "50",
            ],
            data: isDurable ? folder.file("deckd.sqlite") : ":memory:"
        )
        let port = try server.port()
        let body = #"{"deck":{"count":9},"viewport":{"width":9,"height":9}}"#
        var sessions = [try made(#require(Answer(port, "POST", "/v1/sessions", body)).body)]
        var counts: [Int: Int] = [:]
        let start = ContinuousClock.now
        var next = 0
        var reasons: Set<String> = []
        // With the units that come back in this time, a few more are copied.
        func seconds() -> Double { (ContinuousClock.now - start) / .seconds(1) }
        while seconds() < 6 || counts[429] == nil && seconds() < 60 {
            // The copies copy in turn.
            let origin = sessions[next % sessions.count]
            next += 1
            let answer = try post("\(origin.path)/fork", token: origin.token, "{}", port: port)
            counts[answer.status, default: 0] += 1
            if answer.status == 201 {
                sessions.append(try made(answer.body))
            } else {
                reasons.formUnion(answer.body.matches(of: /problems\/([a-z-]+)/).map { String($0.1) })
            }
        }
        print("copies: \(counts)")
        #expect(Set(counts.keys) == [201, 429])
        if let limit {
            #expect(counts[201] == limit)
            #expect(reasons.contains("too-many-copies"))
        } else {
            // 2,000 units at once, 50 more each second, and 51 for each copy.
            #expect(Double(try #require(counts[201])) <= (2000 + seconds() * 50) / 51)
            #expect(reasons == ["rate-limited"])
        }
        #expect(server.stop(SIGTERM) == .exit(0))
    }
}
