import FileTesting
import Foundation
import JournalTesting
import Testing

/// `deckd import`, between servers that clients use before and after it.
@Suite(.serialized) struct ImportTests {
    private let key: MadeKey

    init() throws {
        key = try makeKey("test")
    }

    private func start(_ port: Int, _ data: String) throws -> RunningServer {
        try RunningServer(
            ["--port", "\(port)"],
            environment: ["DECKD_ACCESS_KEYS": key.entry, "DECKD_LIMITS_COST_PER_SECOND": "0"],
            data: data
        )
    }

    /// Copies a journal. The first attempts are killed.
    private func copy(_ from: String, _ to: String) throws {
        for _ in 0..<8 {
            let (output, errors) = (Stream(), Stream())
            let arguments = ["import", "--from", from, "--to", to]
            let child = try Command.start(Command.executable, arguments, [:], output: output, errors: errors)
            usleep(.random(in: 10_000...200_000))
            child.send(SIGKILL)
            if child.wait() == .exit(0) { return }
        }
        let result = try Command.run("import", "--from", from, "--to", to)
        // An attempt can be killed when nothing is left to do. Then there is a complete journal, and no other is copied to its place.
        if result.errors.contains(/exists already|has a journal already/) { return }
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains(/Copied [0-9]+ rows from .* to .*\./))
    }

    @Test func clientsGoOnAfterAnImportAndBack() throws {
        let folder = try TemporaryFolder(isQuick: true)
        let (file, database) = (folder.file("deckd.sqlite"), try PostgreSQLServer.newAddress())
        var server = try start(0, file)
        let port = try server.port()
        let mix = try NodeMix(ports: [port], apiKey: key.secret, playerCount: 12, mayLoseDrags: false)
        try mix.play(during: 10) { usleep(100_000) }
        var data = file
        for place in [database, folder.file("back.sqlite")] {
            #expect(server.stop(SIGTERM) == .exit(0))
            try copy(data, place)
            data = place
            server = try start(port, data)
            #expect(try server.port() == port)
            try mix.check(leastCount: 100)
            try mix.play(during: 10) { usleep(100_000) }
            try mix.check(leastCount: 100)
        }
        #expect(server.stop(SIGTERM) == .exit(0))
    }

    /// `script` runs the command on a terminal.
    @Test func aTerminalShowsHowFarItIs() throws {
        let folder = try TemporaryFolder(isQuick: true)
        let (file, database) = (folder.file("deckd.sqlite"), try PostgreSQLServer.newAddress())
        let server = try start(0, file)
        _ = try server.port()
        #expect(server.stop(SIGTERM) == .exit(0))
        let command = "'\(Command.executable)' import --from '\(file)' --to '\(database)'"
        let result = try Command.run(
            "/usr/bin/env",
            ["script", "--quiet", "--return", "--command", command, "/dev/null"]
        )
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains(/\r\[#+-*\] [0-9]+ %, [^,]+, [0-9]+ s left/), "\(result.output)")
        #expect(result.output.contains(/Copied [0-9]+ rows from/))
    }

    @Test func whatCannotBeCopiedIsSaidInOneLine() throws {
        let folder = try TemporaryFolder(isQuick: true)
        let (file, database) = (folder.file("deckd.sqlite"), try PostgreSQLServer.newAddress())
        func complaint(_ from: String, _ to: String, _ status: Int32 = 1) throws -> String {
            let result = try Command.run("import", "--from", from, "--to", to)
            #expect(result.status == status)
            return result.complaint ?? "\(result)"
        }
        #expect(try complaint(file, database).contains("there is no file"))
        // What an accident with the file system can leave.
        let empty = folder.file("empty.sqlite")
        try Data().write(to: URL(filePath: empty))
        #expect(try complaint(empty, database).contains("it does not begin as a journal does"))
        #expect(try Data(contentsOf: URL(filePath: empty)).isEmpty)
        #expect(try complaint(database, file).contains("it has no journal"))
        #expect(try complaint(":memory:", database, 2).contains("data in memory cannot be copied"))
        #expect(try complaint("\(database) \(database)", file, 2).contains("several databases"))
        #expect(try complaint("postgres:///none?host=/nonexistent&password=secret", file).contains("/nonexistent"))
        let server = try start(0, file)
        _ = try server.port()
        #expect(try complaint(file, database).contains("another process uses it"))
        #expect(server.stop(SIGTERM) == .exit(0))
        #expect(try complaint(file, file).contains("exists already"))
        let other = try start(0, database)
        _ = try other.port()
        #expect(other.stop(SIGTERM) == .exit(0))
        // A server writes the sample deck when it is started for the first time.
        #expect(try complaint(file, database).contains("it has a journal already"))
    }
}
