import FileTesting
import Foundation
import SocketTesting
import Testing

/// `deckd serve` on a disk that is full: a small file system, or a limit on the size of files, beyond which the kernel refuses
/// what is written. With the limit, a file can have any room that a test wants.
@Suite(.serialized) struct FullDiskTests {
    /// No shared memory of SQLite is larger, so a file can be opened below this limit.
    private static let smallest = 32_768

    private func withFile(_ body: (String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        try body(folder.file("deckd.sqlite"))
    }

    private func walBytes(_ file: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: file + "-wal")[.size] as? Int ?? 0
    }

    private func status(_ server: RunningServer, _ path: String) throws -> Int? {
        Answer(try server.port(), "GET", path)?.status
    }

    /// The committed state of each player's session, and the answers that the player has received.
    private func checkAnswered(_ players: [Player], _ server: RunningServer, _ comment: Comment) throws {
        for player in players {
            let kept = try player.read(try server.port())
            #expect(kept.standing == player.model.standing && kept.undone == player.model.undone, comment)
        }
    }

    /// Every change is refused and every read is answered. The server says that it is not ready.
    private func checkFull(_ players: [Player], _ server: RunningServer, room: Int = 0) throws {
        let port = try server.port()
        for _ in 0..<2 {
            // The result of the last check counts for a second.
            usleep(1_050_000)
            for player in players { #expect(!player.sendOne(port)) }
            #expect(Answer(port, "PUT", "/v1/decks/d", #"{"count":3}"#)?.status == 503)
            #expect(try status(server, "/readyz") == 503, "with room for \(room) bytes")
            for path in ["/v1/verdicts", "/v1/decks", "/v1/sessions", "/metrics", "/livez"] {
                #expect(try status(server, path) == 200, "\(path)")
            }
        }
        try checkAnswered(players, server, "while the disk is full")
    }

    /// The refused requests succeed when they are sent again, and the server is ready.
    private func checkRecovery(_ players: [Player], _ server: RunningServer) throws {
        let port = try server.port()
        for player in players { #expect(player.sendPending(port)) }
        #expect(Answer(port, "PUT", "/v1/decks/d", #"{"count":3}"#)?.status ?? 0 < 300)
        #expect(try waitUntilReady(server))
        try checkAnswered(players, server, "after there was room again")
    }

    private func waitUntilReady(_ server: RunningServer) throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(10)
        while try status(server, "/readyz") != 200 {
            guard ContinuousClock.now < deadline else { return false }
            usleep(20_000)
        }
        return true
    }

    @Test func whileTheDiskIsFullChangesAreRefusedAndReadsAreAnswered() throws {
        try withFile { file in
            let players = (0..<4).map { _ in Player() }
            let server = try RunningServer(data: file)
            for player in players { try player.begin(try server.port()) }
            for room in [0, 5_000, 9_000, 13_000] {
                for player in players { for _ in 0..<5 { #expect(player.sendOne(try server.port())) } }
                try server.limitFiles(to: try walBytes(file) + room)
                // The result of the last check counts for a second.
                usleep(1_050_000)
                // A change for which there is room is answered.
                while players[0].sendOne(try server.port()) {}
                #expect(try status(server, "/readyz") == 503, "after the first refusal, with room for \(room) bytes")
                for player in players { while player.sendOne(try server.port()) {} }
                try checkFull(players, server, room: room)
                try server.limitFiles(to: nil)
                try checkRecovery(players, server)
            }
            #expect(server.child.isRunning)
            #expect(server.stop(SIGKILL) == .signal(SIGKILL))
            try checkAnswered(players, try RunningServer(data: file), "after a kill")
        }
    }

    /// Reading is all that an open file needs, so deckd starts. It is not ready until it could write.
    @Test(arguments: [false, true])
    func aServerThatStartsOnAFullDiskIsReadyWhenThereIsRoom(withoutSample: Bool) throws {
        try withFile { file in
            let players = (0..<4).map { _ in Player() }
            let first = try RunningServer(data: file)
            for player in players {
                try player.begin(try first.port())
                for _ in 0..<5 { #expect(player.sendOne(try first.port())) }
            }
            if withoutSample { _ = Answer(try first.port(), "DELETE", "/v1/decks/sample") }
            try #require(try walBytes(file) > Self.smallest)
            // The write-ahead log stays, and is longer than files may become.
            _ = first.stop(SIGKILL)
            let server = try RunningServer(data: file, fileSizeLimit: Self.smallest)
            #expect(try status(server, "/readyz") == 503)
            #expect(try status(server, "/v1/decks/sample") == (withoutSample ? 404 : 200))
            try checkFull(players, server)
            try server.limitFiles(to: nil)
            try checkRecovery(players, server)
            // A sample deck that was removed stays so.
            #expect(try status(server, "/v1/decks/sample") == (withoutSample ? 404 : 200))
            #expect(server.stop(SIGTERM) == .exit(0))
        }
    }

    @Test func aFileSystemWithoutRoomIsSurvived() throws {
        let disk = try SmallDisk(megabytes: 4)
        let file = disk.file("deckd.sqlite")
        let players = (0..<4).map { _ in Player() }
        let first = try RunningServer(data: file, disk: disk)
        for player in players { try player.begin(try first.port()) }
        for _ in 0..<2 {
            for player in players { for _ in 0..<5 { #expect(player.sendOne(try first.port())) } }
            try disk.fill()
            // The write-ahead log can be used again from its start, for which no room is needed.
            for player in players { while player.sendOne(try first.port()) {} }
            try checkFull(players, first)
            try disk.free()
            try checkRecovery(players, first)
        }
        _ = first.stop(SIGKILL)
        try disk.fill()
        let second = try RunningServer(data: file, disk: disk)
        #expect(try status(second, "/readyz") == 503)
        try checkAnswered(players, second, "on a file system that is full at the start")
        try disk.free()
        #expect(try waitUntilReady(second))
        for player in players { for _ in 0..<5 { #expect(player.sendOne(try second.port())) } }
        #expect(second.stop(SIGTERM) == .exit(0))
        try checkAnswered(players, try RunningServer(data: file, disk: disk), "after there was room again")
    }

    @Test func aFileThatCannotBeMadeIsOneLineAndStatus1() throws {
        try withFile { file in
            let server = try RunningServer(data: file, fileSizeLimit: 4096)
            #expect(server.child.wait() == .exit(1))
            #expect(server.errors.readToEnd().hasPrefix("deckd: \(file): "))
            // Nothing is left that the next start could take for a file.
            let again = try RunningServer(data: file)
            #expect(try status(again, "/readyz") == 200)
        }
    }
}
