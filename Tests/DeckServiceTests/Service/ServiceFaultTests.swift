import DeckJournalSQLite
import FileTesting
import JournalTesting
import JSONTesting
import SocketTesting
import Testing

/// Faults that no single request meets.
@Suite(.serialized, .timeLimit(.minutes(Sanitizer.patienceMinutes))) struct ServiceFaultTests {
    private func withFaultyService(
        _ fault: FaultyJournal.Fault? = nil,
        _ body: (FaultyJournal, Client) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let journal = FaultyJournal(try SQLiteJournal(path: folder.file("deckd.sqlite")))
        if let fault { journal.arm(fault) }
        try await withService(journal: journal) { try await body(journal, $0) }
    }

    /// The journal fails at the start, when it is asked for decks or the sample deck is put.
    @Test(arguments: [
        [FaultyJournal.Method.counts], [.putDeck], [.deck, .putDeck, .counts, .check], FaultyJournal.Method.allCases,
    ])
    func aServiceWhoseJournalFailsAtTheStartIsReadyLater(methods: [FaultyJournal.Method]) async throws {
        try await withFaultyService(.init(.unavailable, of: methods, lasts: true)) { journal, client in
            #expect(try await client.get("/readyz").status == 503)
            #expect(try await client.get("/v1/decks/sample").status != 200)
            journal.disarm()
            _ = try await eventually("readiness") {
                try await Task.sleep(for: .milliseconds(20))
                return try await client.get("/readyz").status == 200 ? true : nil
            }
            #expect(try await client.get("/v1/decks/sample").status == 200)
        }
    }

    @Test(arguments: [FaultyJournal.Failure.unavailable, .unknown])
    func theProbeIsAnsweredAndRecovers(failure: FaultyJournal.Failure) async throws {
        try await withFaultyService { journal, client in
            journal.arm(.init(failure, of: [.check], lasts: true))
            #expect(try await client.get("/readyz").status == 503)
            journal.disarm()
            _ = try await eventually("readiness") {
                try await Task.sleep(for: .milliseconds(20))
                return try await client.get("/readyz").status == 200 ? true : nil
            }
        }
    }

    @Test func metricsLackOnlyWhatTheJournalCannotTell() async throws {
        try await withFaultyService { journal, client in
            _ = try await client.begin(#"{"count":3}"#)
            for failure in [FaultyJournal.Failure.unavailable, .unknown] {
                journal.arm(.init(failure, of: [.counts]))
                for isTold in [false, true] {
                    let answer = try await client.get("/metrics")
                    #expect(answer.status == 200)
                    #expect(answer.text.contains("\ndeckd_sessions 1\n"))
                    #expect(answer.text.contains("\ndeckd_decks 1\n") == isTold)
                }
            }
        }
    }

    /// An entry is committed, the journal reports a conflict, and then fails to return the head. The events must not be
    /// applied to the session again.
    @Test func aConflictThatCannotBeClearedUpIsNotTakenForARefusal() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let reads = FaultyJournal(try SQLiteJournal(path: folder.file("deckd.sqlite")))
        let writes = FaultyJournal(reads)
        try await withService(journal: writes) { client in
            for lasts in [false, true] {
                let session = try await client.begin(#"{"count":9}"#)
                writes.arm(.init(.conflictAfterSuccess, of: [.append], lasts: lasts))
                reads.arm(.init(.unavailable, of: [.load], lasts: lasts))
                let answer = try await session.post(#"{"type":"swipe","direction":"left","at":0}"#)
                #expect(answer.status == (lasts ? 503 : 200))
                writes.disarm()
                #expect(reads.disarm() > 0)
                #expect(try await session.frame()["currentIndex"] == 1)
                #expect(try await client.get("\(session.path)/verdicts").json["verdicts"].elements.count == 1)
            }
        }
    }

    /// A drag in progress is not saved. A refused end does not lose it.
    @Test func aSessionThatCouldNotBeEndedStaysAsItWas() async throws {
        try await withFaultyService { journal, client in
            let session = try await client.begin(#"{"count":9}"#)
            _ = try await session.drag("began", at: 0, 0, 0)
            _ = try await session.drag("changed", at: 10, 40, 0)
            let before = try await session.state()
            journal.arm(.init(.unavailable, of: [.end]))
            #expect(try await client.delete(session.path).status == 503)
            #expect(try await session.state() == before)
            #expect(try await client.delete(session.path).status == 204)
        }
    }
}
