import Foundation
import Locking
import SocketTesting
import Testing

/// Clients that go from node to node with requests of every kind, and remember what they were answered.
final class NodeMix {
    /// How often something happens to the nodes: ten times, or a hundred where a server is killed a thousand times.
    static let troubleCount = max(10, CrashTests.killCount / 10)

    private static let followerCount = 4
    /// How many sessions are compared thoroughly.
    private static let thoroughCount = 12

    private let ports: [Int]
    private let apiKey: String
    private let hasSeveralDatabases: Bool
    private let facts = Facts()
    private let players: [MixPlayer]
    private let followers: [FeedFollower]

    /// Begins the clients' sessions.
    ///
    /// - Parameters:
    ///   - mayLoseDrags: whether nodes go, with drags that are not committed.
    ///   - hasSeveralDatabases: whether the order of the feed can differ between readers, except within a session.
    init(
        ports: [Int],
        apiKey: String,
        playerCount: Int,
        mayLoseDrags: Bool = true,
        hasSeveralDatabases: Bool = false
    ) throws {
        self.ports = ports
        self.hasSeveralDatabases = hasSeveralDatabases
        self.apiKey = apiKey
        players = (0..<playerCount).map { [facts] in MixPlayer($0, apiKey: apiKey, facts: facts) }
        followers = (0..<Self.followerCount).map { [facts] _ in FeedFollower(apiKey: apiKey, facts: facts) }
        for (index, player) in players.enumerated() {
            player.isPatient = true
            player.mayLoseDrags = mayLoseDrags
            try player.begin(ports[index % ports.count])
        }
    }

    /// Makes the clients work while something happens a number of times.
    func play(during count: Int, _ trouble: () throws -> Void) throws {
        let ports = ports
        let isOver = Lock(false)
        let isPlaying: @Sendable () -> Bool = { !isOver.withLock { $0 } }
        var bodies: [@Sendable () -> Void] = players.map { player in { player.play(at: ports, while: isPlaying) } }
        for follower in followers {
            bodies.append { while isPlaying() { follower.readToEnd(ports.randomElement() ?? 0) } }
        }
        let playing = DispatchGroup()
        for body in bodies {
            playing.enter()
            Thread.detachNewThread {
                body()
                playing.leave()
            }
        }
        let result = Result { for _ in 0..<count { try trouble() } }
        isOver.withLock { $0 = true }
        playing.wait()
        try result.get()
    }

    /// Compares all nodes with what was answered.
    ///
    /// - Parameter leastCount: how many numbers the clients must have seen, or there was nothing to lose.
    func check(leastCount: Int) throws {
        #expect(facts.contradictions.prefix(3) == [])
        print("\(facts.count) numbers")
        #expect(facts.count > leastCount)
        let thorough = Set(players.indices.shuffled().prefix(Self.thoroughCount))
        for (index, player) in players.enumerated() {
            try player.check(ports.randomElement() ?? 0, isThorough: thorough.contains(index))
        }
        try checkFeed()
    }

    /// The feed is the same for all, and says which verdicts stand.
    private func checkFeed() throws {
        let whole = FeedFollower(apiKey: apiKey, facts: Facts())
        whole.readToEnd(ports[0])
        #expect(!whole.rows.isEmpty)
        for follower in followers {
            follower.readToEnd(ports.randomElement() ?? 0)
            #expect(follower.rowsBySession == whole.rowsBySession)
            #expect(hasSeveralDatabases || follower.rows == whole.rows)
        }
        for player in players {
            player.connect(ports.randomElement() ?? 0)
            let standing = try player.standing().compactMap { $0["seq"] as? Int }
            #expect(whole.standing(of: player.session.id) == standing.sorted())
        }
    }
}
