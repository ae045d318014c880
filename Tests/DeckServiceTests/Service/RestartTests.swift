import DeckJournal
import DeckJournalSQLite
import DeckService
import FileTesting
import Foundation
import JSONTesting
import JournalTesting
import SocketTesting
import Testing

/// What a service that is started again with the same file knows of earlier answers.
@Suite(.serialized, .timeLimit(.minutes(Sanitizer.patienceMinutes))) struct RestartTests {
    /// Runs services on one file, each after the one before has gone.
    private func withFile(_ body: (String) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        try await body(folder.file("deckd.sqlite"))
    }

    private func withService(on file: String, _ body: (Client) async throws -> Void) async throws {
        let journal = try SQLiteJournal(path: file)
        try await withRunningService(journal: journal) { client, service in
            try await body(client)
            await service.save()
        }
        await withCheckedContinuation { continuation in journal.close { _ in continuation.resume() } }
    }

    @Test func sessionsDecksAndVerdictsAreThereAgain() async throws {
        try await withFile { file in
            let deck = #"{"cards":[{"id":"a","data":{"n":1}},{"id":"b","label":"B"},{"id":"c"},{"id":"d"}]}"#
            var id = ""
            var (before, document): ([String], String) = ([], "")
            try await withService(on: file) { client in
                let put = try await client.put("/v1/decks/d", deck)
                #expect(put.status == 201)
                let session = try await client.begin(#""d""#)
                id = session.id
                _ = try await session.swipe("left", at: 10)
                _ = try await session.swipe("right", at: 1010)
                _ = try await session.event("revert", at: 2000)
                _ = try await session.swipe("left", at: 4000.5)
                before = try await session.kept()
                document = try await client.get("/v1/decks/d").text
            }
            try await withService(on: file) { client in
                let session = SessionClient(client: client, id: id, created: try await client.get("/v1/sessions/\(id)"))
                #expect(session.created.status == 200)
                #expect(session.created.json["deck"] == "d")
                #expect(session.created.json["token"] == .missing)
                #expect(try await session.kept() == before)
                #expect(try await client.get("/v1/decks/d").text == document)
                // The history is there, too, and numbers continue.
                _ = try await session.event("revert", at: 6000)
                _ = try await session.event("revert", at: 7000)
                #expect(try await session.frame()["currentIndex"] == 0)
                _ = try await session.swipe("right", at: 9000)
                let verdicts = try await client.get("\(session.path)/verdicts").json["verdicts"]
                #expect(verdicts == [["seq": 4, "at": 9000, "index": 0, "id": "a", "direction": "right"]])
            }
        }
    }

    /// A stop in order saves changes that need no commit, and skips no number.
    @Test func aDragOnItsWayIsThereAgain() async throws {
        try await withFile { file in
            var (path, before) = ("", JSON.missing)
            try await withService(on: file) { client in
                let session = try await client.begin(#"{"count":9}"#)
                path = session.path
                _ = try await session.event("drag", at: 10, #""phase":"changed","translation":{"x":50,"y":0}"#)
                before = try await session.frame()
                #expect(before["dragging"] == true)
            }
            try await withService(on: file) { client in
                let after = try await client.get("\(path)/frame").json
                #expect(after == before)
            }
        }
    }

    @Test func dragsThatCannotBeSavedAreCountedInTheLog() async throws {
        let reader = LogReader(.json)
        let journal = FaultyJournal(MemoryJournal())
        try await withRunningService(journal: journal) {
            $0.log = reader.output
        } _: { client, service in
            for _ in 0..<3 {
                let session = try await client.begin(#"{"count":9}"#)
                _ = try await session.event("drag", at: 10, #""phase":"changed","translation":{"x":50,"y":0}"#)
            }
            journal.arm(.init(.unavailable, of: [.append], lasts: true))
            await service.save()
        }
        let lines = reader.lines().map(json)
        let line = try #require(lines.first { $0["message"] == "could not save drags in progress" }, "\(lines)")
        #expect(line["level"] == "warning" && line["sessions"] == "3")
    }

    @Test func whatEndedStaysEnded() async throws {
        try await withFile { file in
            var path = ""
            try await withService(on: file) { client in
                let session = try await client.begin(#""sample""#)
                path = session.path
                #expect(try await client.delete(path).status == 204)
                #expect(try await client.delete(path).status == 410)
            }
            try await withService(on: file) { client in
                let answer = try await client.get(path)
                #expect(answer.status == 410)
                #expect(answer.json["type"] == "/problems/session-ended")
            }
        }
    }

    @Test func aServerClockGoesOn() async throws {
        try await withFile { file in
            var path = ""
            var before = Double.nan
            try await withService(on: file) { client in
                let session = try await client.begin(#""sample""#, clock: "server")
                path = session.path
                _ = try await session.swipe("left", at: nil)
                before = try await session.frame()["at"].number
            }
            try await Task.sleep(for: .milliseconds(50))
            try await withService(on: file) { client in
                let after = try await client.get("\(path)/frame").json["at"].number
                #expect(after >= before + 50)
                #expect(after < before + 60_000)
            }
        }
    }

    @Test func aLogIsWholeAfterARestart() async throws {
        try await withFile { file in
            var id = ""
            try await withService(on: file) { client in
                let session = try await client.begin(#""sample""#, more: #""record":true"#)
                id = session.id
                _ = try await session.event("tick", at: 5)
                _ = try await session.swipe("left", at: 10)
            }
            try await withService(on: file) { client in
                let session = SessionClient(client: client, id: id, created: try await client.get("/v1/sessions/\(id)"))
                _ = try await session.swipe("right", at: 2000)
                let lines = try await client.get("\(session.path)/events").text.split(separator: "\n")
                #expect(lines.count == 4)
                #expect(lines.dropFirst().map { $0.contains(#""type":"swipe""#) } == [false, true, true])
            }
        }
    }

    @Test func moreSessionsThanFitIntoMemoryAreAllThere() async throws {
        try await DeckServiceTests.withService(configure: { $0.maximumResidentSessions = 64 }) { client in
            var sessions: [SessionClient] = []
            for number in 0..<200 {
                let session = try await client.begin(#"{"count":9}"#)
                _ = try await session.swipe(number.isMultiple(of: 2) ? "left" : "right", at: 10)
                sessions.append(session)
            }
            for (number, session) in sessions.enumerated() {
                let direction: JSON = number.isMultiple(of: 2) ? "left" : "right"
                let verdicts = try await client.get("\(session.path)/verdicts").json["verdicts"]
                #expect(verdicts.elements.map { $0["direction"] } == [direction])
                let second = try await session.swipe("left", at: 3000)
                #expect(second["frame"]["currentIndex"] == 2)
            }
        }
    }
}
