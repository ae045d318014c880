import Foundation
import Testing

/// A backup, made as `docs/operations.md` says.
struct BackupTests {
    @Test func aBackupIsMadeWhileTheServerRunsAndHasAllThatWasAnswered() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "deckd-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let page = try String(contentsOf: Command.repository.appending(path: "docs/operations.md"), encoding: .utf8)
        let command = try #require(page.split(separator: "```sh\n").dropFirst().first?.split(separator: "```").first)
        let data = folder.appending(path: "deckd.sqlite").path
        let copy = folder.appending(path: "copy.sqlite").path
        let server = try RunningServer(data: data)
        let port = try server.port()
        let body = #"{"deck":{"count":9},"viewport":{"width":300,"height":400},"clock":"manual"}"#
        let created = PlainAnswer(port, "POST", "/v1/sessions", body)
        let session = try #require(created?.json["id"] as? String)
        let swipe = #"{"type":"swipe","direction":"left","at":1}"#
        #expect(PlainAnswer(port, "POST", "/v1/sessions/\(session)/events", swipe)?.status == 200)

        let result = try Command.run("/bin/sh", ["-c", "DATA='\(data)' COPY='\(copy)'\n\(command)"])
        #expect(result.status == 0, "\(result.errors)")
        // The server goes on, and the copy can be served beside it.
        let later = #"{"type":"swipe","direction":"left","at":2}"#
        #expect(PlainAnswer(port, "POST", "/v1/sessions/\(session)/events", later)?.status == 200)
        let restored = try RunningServer(data: copy)
        let verdicts = PlainAnswer(try restored.port(), "GET", "/v1/sessions/\(session)/verdicts")?.json["verdicts"]
        #expect((verdicts as? [[String: Any]])?.count == 1)
    }
}
