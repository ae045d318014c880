import FileTesting
import Foundation
import Testing

/// `deckd serve` on a file, killed again and again while clients send requests of every kind.
@Suite(.serialized) struct CrashMixTests {
    private static let playerCount = 56
    private static let streamCount = 4
    private static let followerCount = 4
    /// How many sessions are compared thoroughly after each kill, and four times as many at the end.
    private static let thoroughCount = 5
    /// After this number of kills the players create new sessions, because a check reads everything that a session has done.
    private static let killsPerSession = 20

    @Test func everyKindOfRequestSurvivesKills() throws {
        let folder = try TemporaryFolder()
        let key = try makeKey("test")
        let facts = Facts()
        let players = (0..<Self.playerCount).map { MixPlayer($0, apiKey: key.secret, facts: facts) }
        let followers = (0..<Self.followerCount).map { _ in FeedFollower(apiKey: key.secret, facts: facts) }
        for round in 0...CrashTests.killCount {
            let server = try RunningServer(
                environment: ["DECKD_ACCESS_KEYS": key.entry],
                data: folder.file("deckd.sqlite")
            )
            let port = try server.port()
            let isLast = round == CrashTests.killCount
            try meet(players, port, round, isLast: isLast)
            #expect(facts.contradictions.prefix(3) == [], "round \(round)")
            guard !isLast else {
                try checkFeed(followers, players, key.secret, port)
                break
            }
            let milliseconds = UInt32.random(in: 1...400)
            Thread.detachNewThread { [child = server.child] in
                usleep(milliseconds * 1000)
                child.send(SIGKILL)
            }
            play(players, followers, port)
            #expect(server.child.wait() == .signal(SIGKILL))
        }
        // Or there was nothing to lose.
        #expect(facts.count > 100 * CrashTests.killCount, "\(facts.count)")
    }

    /// Begins the players' sessions, or compares them with what was answered.
    private func meet(_ players: [MixPlayer], _ port: Int, _ round: Int, isLast: Bool) throws {
        let thorough = Set(players.indices.shuffled().prefix(isLast ? 4 * Self.thoroughCount : Self.thoroughCount))
        for (index, player) in players.enumerated() {
            if round > 0 { try player.check(port, isThorough: thorough.contains(index)) }
            if round % Self.killsPerSession == 0, !isLast { try player.begin(port) }
        }
    }

    /// Has all clients work until the server has gone.
    private func play(_ players: [MixPlayer], _ followers: [FeedFollower], _ port: Int) {
        var bodies: [@Sendable () -> Void] = []
        for player in players.prefix(Self.streamCount) { bodies.append { followStream(of: player, port) } }
        for follower in followers { bodies.append { follower.read(port) } }
        for player in players { bodies.append { player.play() } }
        onThreads(bodies)
    }

    /// A client that followed the feed has read every row once, and the rows show which verdicts were not reverted.
    private func checkFeed(_ followers: [FeedFollower], _ players: [MixPlayer], _ apiKey: String, _ port: Int) throws {
        let whole = FeedFollower(apiKey: apiKey, facts: Facts())
        whole.readToEnd(port)
        #expect(!whole.rows.isEmpty)
        for follower in followers {
            follower.readToEnd(port)
            #expect(follower.rows == whole.rows)
        }
        for player in players {
            // The feed of a thousand lives takes minutes to read, after which idle connections are closed.
            player.connect(port)
            let standing = try player.standing().compactMap { $0["seq"] as? Int }
            #expect(whole.standing(of: player.session.id) == standing.sorted())
        }
    }
}
