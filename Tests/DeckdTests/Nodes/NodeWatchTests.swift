import Foundation
import SocketTesting
import Testing

/// Clients of one node that watch a session which clients of another node change.
struct NodeWatchTests {
    private let nodes: Nodes
    private let path: String
    private let headers: [String]

    init() throws {
        nodes = try Nodes(count: 2)
        let body = #"{"deck":{"count":100},"viewport":{"width":300,"height":400},"clock":"manual"}"#
        let key = "Authorization: Bearer \(nodes.key.secret)"
        let created = try #require(Answer(nodes.ports[0], "POST", "/v1/sessions", body, headers: [key]))
        path = "/v1/sessions/\(try #require(created.json["id"] as? String))"
        headers = [key]
    }

    private func post(_ body: String) throws {
        let answer = try #require(Answer(nodes.ports[0], "POST", "\(path)/events?frame=none", body, headers: headers))
        try #require(answer.status == 200, "\(answer.body)")
    }

    /// The median is printed. It is a few milliseconds. Without a notification the other node would compare the session with the
    /// database after two seconds.
    @Test func aLongPollSeesWhatAnotherNodeCommits() throws {
        let watcher = try RawClient(port: nodes.ports[1])
        let fields = headers.map { $0 + "\r\n" }.joined()
        try watcher.get("\(path)/frame", extra: fields)
        var tag = try #require(try watcher.readWholeAnswer().headers["etag"])
        var delays: [Duration] = []
        for round in 1...30 {
            try watcher.get(
                "\(path)/frame?fields=version",
                extra: "\(fields)If-None-Match: \(tag)\r\nPrefer: wait=20\r\n"
            )
            #expect(watcher.staysOpenAndSilent(milliseconds: 20))
            let time = round * 10_000
            let swipe = #"{"type":"swipe","direction":"left","at":\#(time)}"#
            try post(#"{"events":[\#(swipe),{"type":"tick","at":\#(time + 9_000)}]}"#)
            let start = ContinuousClock.now
            let answer = try watcher.readWholeAnswer()
            delays.append(.now - start)
            #expect(answer.status == 200 && answer.json["version"] as? Int == 2 * round)
            tag = try #require(answer.headers["etag"])
        }
        let median = delays.sorted()[delays.count / 2]
        print("a long-poll sees what another node commits after \(median) (median)")
        #expect(median < .milliseconds(500))
        nodes.stop()
    }

    /// Drags are not committed. The node that has them sends previews.
    @Test func aStreamShowsADragOnAnotherNode() throws {
        let watcher = try RawClient(port: nodes.ports[1])
        let fields = headers.map { $0 + "\r\n" }.joined()
        try watcher.send("GET \(path)/stream?fields=version,drag HTTP/1.0\r\nHost: test\r\n\(fields)\r\n")
        _ = try watcher.read(until: #""drag":null"#)
        for step in 1...5 {
            let translation = #""translation":{"x":\#(step * 10),"y":0}"#
            try post(#"{"type":"drag","phase":"changed",\#(translation),"at":\#(step * 100)}"#)
            _ = try watcher.read(until: translation)
        }
        try post(#"{"type":"drag","phase":"ended","translation":{"x":250,"y":0},"at":600}"#)
        _ = try watcher.read(until: #""type":"panFinished""#)
        nodes.stop()
    }
}
