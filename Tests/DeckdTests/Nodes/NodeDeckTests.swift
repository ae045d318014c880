import Foundation
import SocketTesting
import Testing

/// Decks that one node changes and another one has read.
struct NodeDeckTests {
    @Test func aDeckIsTheSameOnAllNodes() throws {
        let nodes = try Nodes(count: 2)
        let key = ["Authorization: Bearer \(nodes.key.secret)"]
        func count(_ port: Int) -> Int? { Answer(port, "GET", "/v1/decks/a", headers: key)?.json["count"] as? Int }
        for number in 1...5 {
            for (here, there) in [(0, 1), (1, 0)] {
                let wanted = 10 * number + here
                let put = Answer(nodes.ports[here], "PUT", "/v1/decks/a", #"{"count":\#(wanted)}"#, headers: key)
                #expect([200, 201].contains(put?.status))
                #expect(count(nodes.ports[here]) == wanted)
                #expect(eventually { count(nodes.ports[there]) == wanted })
            }
        }
        #expect(Answer(nodes.ports[0], "DELETE", "/v1/decks/a", headers: key)?.status == 204)
        #expect(eventually { Answer(nodes.ports[1], "GET", "/v1/decks/a", headers: key)?.status == 404 })
        nodes.stop()
    }

    /// Tries for a minute. Without a notification, a node that hears from the others would not read the deck again.
    private func eventually(_ condition: () -> Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(60)
        while .now < end {
            if condition() { return true }
            usleep(1000)
        }
        return condition()
    }
}
