import FileTesting
import Foundation
import JournalTesting
import SocketTesting
import Testing

/// An older state of the database is restored while nodes use it. Their connections stay.
struct InPlaceRestoreTests {
    /// A node alone has a drag that is not committed, so other nodes ask it for previews.
    @Test func noNodeServesWhatIsLost() throws {
        let folder = try TemporaryFolder(isQuick: true)
        let address = try PostgreSQLServer.newDatabase()
        let nodes = try Nodes(count: 2, addresses: [address])
        let headers = ["Authorization: Bearer \(nodes.key.secret)"]
        let body = #"{"deck":{"count":100},"viewport":{"width":300,"height":400},"clock":"manual"}"#
        let created = try #require(Answer(nodes.ports[0], "POST", "/v1/sessions", body, headers: headers))
        let path = "/v1/sessions/\(try #require(created.json["id"] as? String))"
        func post(_ events: String...) throws {
            let answer = Answer(nodes.ports[0], "POST", "\(path)/events", events.joined(), headers: headers)
            try #require(answer?.status == 200, "\(String(describing: answer))")
        }
        func version(_ node: Int) -> Int? {
            Answer(nodes.ports[node], "GET", "\(path)/frame", headers: headers)?.json["version"] as? Int
        }
        try post(#"{"type":"swipe","direction":"left","at":1000}"#)
        try post(#"{"type":"drag","phase":"changed","translation":{"x":9,"y":0},"at":9000}"#)
        try PostgreSQLServer.dump(address, to: folder.file("dump"))
        try post(#"{"type":"drag","phase":"ended","translation":{"x":250,"y":0},"at":9100}"#)
        for time in [19_000, 29_000, 39_000] { try post(#"{"type":"swipe","direction":"left","at":\#(time)}"#) }
        let lost = try #require(version(0))
        try PostgreSQLServer.restore(address, from: folder.file("dump"))

        let end = ContinuousClock.now + .seconds(30)
        // The client of the other node comes first: the former node has not noticed yet.
        var versions = [lost, lost]
        while versions.contains(where: { $0 <= lost }), .now < end {
            versions = [version(1) ?? 0, version(0) ?? 0]
        }
        #expect(versions.allSatisfy { $0 > lost }, "\(versions)")
        #expect(version(0) == version(1))
        #expect(try Scrape(nodes.ports[1])["deckd_session_loads_total"] < 20)
        nodes.stop()
    }
}
