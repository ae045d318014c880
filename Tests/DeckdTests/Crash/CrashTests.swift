import FileTesting
import Foundation
import SocketTesting
import Testing

/// `deckd serve` on a file, killed under load again and again.
@Suite(.serialized) struct CrashTests {
    /// How often it is killed: ten times, or as often as `DECKD_TEST_KILLS` says.
    static var killCount: Int {
        ProcessInfo.processInfo.environment["DECKD_TEST_KILLS"].flatMap(Int.init) ?? 10
    }

    private static let playerCount = 8

    @Test func whatWasAnsweredIsThereOnceAfterAKillAndNothingElse() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("deckd.sqlite")
        let players = (0..<Self.playerCount).map { _ in Player() }
        var feed = Feed()
        for round in 0...Self.killCount {
            let server = try RunningServer(data: file)
            let port = try server.port()
            for player in players {
                guard round > 0 else {
                    try player.begin(port)
                    continue
                }
                try check(player, port, "round \(round)")
            }
            try feed.check(players, port)
            guard round < Self.killCount else { break }
            let milliseconds = UInt32.random(in: 1...200)
            Thread.detachNewThread { [child = server.child] in
                usleep(milliseconds * 1000)
                child.send(SIGKILL)
            }
            let playing = DispatchGroup()
            for player in players {
                playing.enter()
                Thread.detachNewThread {
                    player.play(port)
                    playing.leave()
                }
            }
            playing.wait()
            #expect(server.child.wait() == .signal(SIGKILL))
        }
        // Or there was nothing to lose.
        #expect(players.allSatisfy { $0.answered > Self.killCount && $0.refused > 0 }, "\(players.map(\.answered))")
    }

    private func check(_ player: Player, _ port: Int, _ comment: Comment) throws {
        let kept = try player.read(port)
        #expect(player.possible.contains { $0.standing == kept.standing && $0.undone == kept.undone }, comment)
        // What was on its way is sent again with its key, and is done once, whether or not it had been.
        #expect(player.sendPending(port), comment)
        let settled = try player.read(port)
        #expect(settled.standing == player.model.standing && settled.undone == player.model.undone, comment)
    }

    /// The feed of verdicts as far as it was read.
    private struct Feed {
        private var cursor = "0"
        private var read: [String: Int] = [:]

        /// Reads what is new, which must be what the players know of, in their order and once.
        mutating func check(_ players: [Player], _ port: Int) throws {
            let known = Dictionary(uniqueKeysWithValues: players.map { ($0.session, $0.model.feed) })
            while true {
                let page = try #require(Answer(port, "GET", "/v1/verdicts?after=\(cursor)")).json
                let entries = try #require(page["verdicts"] as? [[String: Any]])
                guard !entries.isEmpty else { break }
                for entry in entries {
                    let session = try #require(entry["session"] as? String)
                    let type = try #require(entry["type"] as? String)
                    let direction = try #require(entry["direction"] as? String)
                    let index = read[session, default: 0]
                    let expected = try #require(known[session])
                    try #require(index < expected.count, "the feed has more of \(session) than was answered")
                    #expect("\(type) \(direction)" == expected[index])
                    read[session] = index + 1
                }
                cursor = try #require(page["cursor"] as? String)
            }
            for (session, feed) in known { #expect(read[session, default: 0] == feed.count, "\(session)") }
        }
    }
}
