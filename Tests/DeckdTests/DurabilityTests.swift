import FileTesting
import Foundation
import SocketTesting
import Testing

/// `deckd serve` on a file.
@Suite(.serialized) struct DurabilityTests {
    @Test func aStopKeepsEverythingAndLeavesOneFile() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("deckd.sqlite")
        let server = try RunningServer(data: file)
        #expect(Answer(try server.port(), "PUT", "/v1/decks/d", #"{"count":3}"#)?.status == 201)
        #expect(server.stop(SIGTERM) == .exit(0))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["deckd.sqlite"])
        let again = try RunningServer(data: file)
        #expect(Answer(try again.port(), "GET", "/v1/decks/d")?.status == 200)
    }

    @Test func aFileThatCannotBeUsedIsOneLineAndStatus1() throws {
        let folder = try TemporaryFolder()
        let text = folder.url("notes.txt")
        try Data("Milk, eggs, flour, and whatever else makes this longer than a header is.\n".utf8).write(to: text)
        let before = try Data(contentsOf: text)
        let missing = folder.url("none/deckd.sqlite")
        for path in [text.path, missing.path, folder.path] {
            let result = try Command.run("serve", "--port", "0", "--data", path)
            #expect(result.status == 1)
            let complaint = try #require(result.complaint, "\(result)")
            #expect(complaint.hasPrefix("deckd: \(path): "), "\(complaint)")
        }
        #expect(try Data(contentsOf: text) == before)
    }

    @Test func twoServersDoNotShareAFile() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("deckd.sqlite")
        let server = try RunningServer(data: file)
        _ = try server.port()
        let second = try Command.run("serve", "--port", "0", "--data", file)
        #expect(second.status == 1)
        #expect(second.complaint?.contains(file) == true, "\(second)")
    }

    /// What is written to a file that has no name would be lost with the process.
    @Test(arguments: [true, false]) func aFileThatIsRemovedOrRenamedIsNoticed(isRemoved: Bool) throws {
        let folder = try TemporaryFolder()
        let file = folder.file("deckd.sqlite")
        let server = try RunningServer(data: file)
        let port = try server.port()
        func status(_ method: String, _ path: String) -> Int? {
            Answer(port, method, path, method == "PUT" ? #"{"count":3}"# : "")?.status
        }
        #expect(status("PUT", "/v1/decks/d") == 201 && status("GET", "/readyz") == 200)
        if isRemoved {
            try FileManager.default.removeItem(atPath: file)
        } else {
            try FileManager.default.moveItem(atPath: file, toPath: folder.file("other.sqlite"))
        }
        #expect(status("PUT", "/v1/decks/e") == 503)
        // The server checks the journal once in some seconds.
        let end = ContinuousClock.now + .seconds(30)
        while status("GET", "/readyz") != 503, .now < end { usleep(100_000) }
        #expect(status("GET", "/readyz") == 503)
        #expect(status("GET", "/v1/decks/d") == 200)
        #expect(server.stop(SIGTERM) == .exit(0))
        #expect(server.errors.readToEnd().contains("was removed or renamed while it was used"))
    }
}
