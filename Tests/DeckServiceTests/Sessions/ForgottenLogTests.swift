import DeckHost
import DeckJournal
import Foundation
import JSONTesting
import JournalTesting
import SocketTesting
import Testing

@testable import DeckService

/// Sessions that record, whose first lines were removed because of their age.
@Suite(.timeLimit(.minutes(Sanitizer.patienceMinutes))) struct ForgottenLogTests {
    /// The journal's clock, which says how old lines are.
    private let clock = TestClock(WallTime.now().milliseconds)

    private func withJournal(_ body: (Client, MemoryJournal) async throws -> Void) async throws {
        let journal = MemoryJournal(options: clock.options(ages: JournalAges(logs: .seconds(8))))
        try await withService(journal: journal) { try await body($0, journal) }
    }

    private func wait(seconds: Int64) {
        clock.set(clock.now.milliseconds + 1000 * seconds)
    }

    /// Waits six seconds on the journal's clock, and then until a number of lines is left.
    private func forget(leaving count: Int, of session: SessionClient, in journal: MemoryJournal) async throws {
        wait(seconds: 6)
        #expect(try await eventually { try await journal.wholeLog(of: session.id).lines.count == count })
    }

    private func record(_ client: Client) async throws -> SessionClient {
        let session = try await client.begin(#"{"count":9}"#, more: #""record":true"#)
        _ = try await session.swipe("left", at: 100)
        _ = try await session.swipe("right", at: 2000)
        return session
    }

    @Test func withoutAnyLineOnlyThePastIsGone() async throws {
        try await withJournal { client, journal in
            let session = try await record(client)
            wait(seconds: 5)
            try await forget(leaving: 0, of: session, in: journal)
            let frame = try await client.get("\(session.path)/frame")
            #expect(frame.status == 200)
            let past = try await client.get("\(session.path)/frame?at=150")
            #expect(past.status == 404 && past.json["type"] == "/problems/not-found", "\(past.text)")
            let log = try await client.get("\(session.path)/events")
            #expect(log.status == 200 && log.body.isEmpty, "\(log.text)")
            let fork = try await client.post("\(session.path)/fork", "{}")
            #expect(fork.status == 201, "\(fork.text)")
            #expect(fork.json["frame"]["version"] == 2)
            // An ended session is still gone.
            #expect(try await client.delete(session.path).status == 204)
            #expect(try await client.get("\(session.path)/events").status == 410)
        }
    }

    /// The copy's log begins with the copy.
    @Test func aCopyContinuesFromACheckpoint() async throws {
        try await withJournal { client, journal in
            let session = try await record(client)
            wait(seconds: 5)
            try await forget(leaving: 0, of: session, in: journal)
            let fork = try await client.post("\(session.path)/fork", #"{"at":3000}"#)
            let path = "/v1/sessions/\(try #require(fork.json["id"].text))"
            let before = try await client.get("\(path)/frame").text
            var served: [Int: String] = [3000: before]
            for time in [4000, 6000] {
                let event = #"{"type":"swipe","direction":"left","at":\#(time)}"#
                #expect(try await client.post("\(path)/events", event).status == 200)
                served[time] = try await client.get("\(path)/frame").text
            }
            let lines = try await client.get("\(path)/events").text.split(separator: "\n")
            #expect(lines.count == 3 && lines[0].contains(#""checkpoint":"#))
            for (time, frame) in served {
                #expect(try await client.get("\(path)/frame?at=\(time)").text == frame, "at \(time)")
            }
            #expect(try await client.get("\(path)/frame?at=2999").status == 404)
            // So does a copy of the copy.
            let second = try await client.post("\(path)/fork", #"{"at":4500}"#)
            #expect(second.status == 201)
            let log = try await client.get("/v1/sessions/\(try #require(second.json["id"].text))/events").text
            #expect(log.split(separator: "\n") == Array(lines.prefix(2)))
        }
    }

    @Test func theLinesThatAreLeftAreSent() async throws {
        try await withJournal { client, journal in
            let session = try await record(client)
            let whole = try await client.get("\(session.path)/events").text
            wait(seconds: 5)
            for time in [4000, 6000] { _ = try await session.swipe("left", at: Double(time)) }
            let all = try await client.get("\(session.path)/events").text
            try await forget(leaving: 2, of: session, in: journal)
            let left = try await client.get("\(session.path)/events")
            #expect(left.status == 200)
            #expect(whole + left.text == all)
            let last = try await client.get("\(session.path)/events?after=4").text
            #expect(!last.isEmpty && left.text.hasSuffix("\n" + last))
            #expect(try await client.post("\(session.path)/fork", "{}").status == 201)
            #expect(try await client.get("\(session.path)/frame?at=5000").status == 404)
        }
    }
}
