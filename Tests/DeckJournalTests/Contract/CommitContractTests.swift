import DeckJournal
import JournalTesting
import Locking
import Testing

@Suite struct CommitContractTests {
    @Test(arguments: JournalKind.allCases) func aCommitChangesTheSession(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await value { journal.createSession(.sample("a"), completion: $0) }
            try await value { journal.commit(.sample("a", 5, at: 3000), expecting: 1, completion: $0) }
            let session = try await value { journal.loadSession("a", completion: $0) }.session
            #expect(session?.version == 5)
            #expect(session?.snapshot == bytes("a at 5"))
            #expect(session?.lastActiveAt == time(3000))
            #expect(session?.identity == NewSession.sample("a").identity)
        }
    }

    @Test(arguments: JournalKind.allCases) func aCommitOfAnotherVersionChangesNothing(_ kind: JournalKind) async throws
    {
        try await kind.run { journal in
            try await value { journal.createSession(.sample("a", cards: [1]), completion: $0) }
            var record = SessionRecord.sample("a", 9, verdicts: [.given(1)])
            record.cards = .dropped
            record.logLines = [bytes("line")]
            record.answer = AnswerRecord(key: "k", fingerprint: [], status: 200, body: [], at: time(1))
            let before = try await value { journal.loadSession("a", completion: $0) }
            for expected in [0, 2, 8, 9] {
                let error = await failure { journal.commit(record, expecting: expected, completion: $0) }
                #expect(error == .versionConflict(current: 1))
            }
            #expect(try await value { journal.loadSession("a", completion: $0) } == before)
            #expect(try await value { journal.answer(of: "a", key: "k", completion: $0) } == nil)
            #expect(try await value { journal.log(of: "a", from: 0, limit: 9, completion: $0) }.isEmpty)
            let feed = try await value { journal.verdicts(after: .start, deck: nil, limit: 9, completion: $0) }
            #expect(feed.entries.isEmpty)
            let stranger = await failure { journal.commit(.sample("nobody", 2), expecting: 1, completion: $0) }
            #expect(stranger == .versionConflict(current: nil))
        }
    }

    @Test(arguments: JournalKind.allCases) func cardsStayAreReplacedOrDropped(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await value { journal.createSession(.sample("a"), completion: $0) }
            let changes: [(CardsChange, [UInt8]?)] = [
                (.unchanged, nil), (.replaced([1, 2]), [1, 2]), (.unchanged, [1, 2]), (.replaced([]), []),
                (.dropped, nil), (.dropped, nil), (.replaced([3]), [3]),
            ]
            for (version, (change, cards)) in zip(2..., changes) {
                var record = SessionRecord.sample("a", version)
                record.cards = change
                try await value { journal.commit(record, expecting: version - 1, completion: $0) }
                #expect(try await value { journal.loadSession("a", completion: $0) }.session?.cards == cards)
            }
        }
    }

    @Test(arguments: JournalKind.allCases) func commitsOfASessionKeepTheirOrder(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await value { journal.createSession(.sample("a"), completion: $0) }
            // None waits for the one before it, and each would be refused if it came before or without that one.
            let completed = Completed()
            await withTaskGroup(of: Void.self) { group in
                for version in 2...300 {
                    let record = SessionRecord.sample("a", version, verdicts: [.given(version)])
                    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
                    journal.commit(record, expecting: version - 1) { result in
                        completed.add(version, result)
                        continuation.finish()
                    }
                    group.addTask { for await _ in stream {} }
                }
            }
            #expect(completed.failures.isEmpty)
            #expect(completed.versions == Array(2...300))
            let feed = try await value { journal.verdicts(after: .start, deck: nil, limit: 999, completion: $0) }
            #expect(feed.entries.map(\.verdict.number) == Array(2...300))
        }
    }

    @Test(arguments: JournalKind.allCases) func aConflictFailsItsOwnCommitOnly(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            for session in 0..<40 {
                try await value { journal.createSession(.sample("s\(session)"), completion: $0) }
            }
            let errors = await withTaskGroup(of: (Int, JournalError?).self) { group in
                for session in 0..<40 {
                    let expected = session.isMultiple(of: 3) ? 7 : 1
                    group.addTask {
                        let record = SessionRecord.sample("s\(session)", 2, verdicts: [.given(1)])
                        return (session, await failure { journal.commit(record, expecting: expected, completion: $0) })
                    }
                }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            for session in 0..<40 {
                let isRefused = session.isMultiple(of: 3)
                #expect(errors[session] == (isRefused ? .versionConflict(current: 1) : nil))
                let stored = try await value { journal.loadSession("s\(session)", completion: $0) }.session
                #expect(stored?.version == (isRefused ? 1 : 2))
            }
        }
    }

    @Test(arguments: JournalKind.allCases) func ofTwoCommitsOnOneVersionOneIsKept(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await value { journal.createSession(.sample("a"), completion: $0) }
            let errors = await withTaskGroup(of: JournalError?.self) { group in
                for number in 1...20 {
                    let record = SessionRecord.sample("a", 2, verdicts: [.given(number)])
                    group.addTask { await failure { journal.commit(record, expecting: 1, completion: $0) } }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(errors.filter { $0 == nil }.count == 1)
            #expect(errors.filter { $0 == .versionConflict(current: 2) }.count == 19)
            let feed = try await value { journal.verdicts(after: .start, deck: nil, limit: 9, completion: $0) }
            #expect(feed.entries.count == 1)
        }
    }
}

/// What was completed, in order.
private final class Completed: Sendable {
    private let state = Lock<(versions: [Int], failures: [JournalError])>(([], []))

    var versions: [Int] { state.withLock { $0.versions } }
    var failures: [JournalError] { state.withLock { $0.failures } }

    func add(_ version: Int, _ result: Result<Void, JournalError>) {
        state.withLock { state in
            state.versions.append(version)
            if case .failure(let error) = result { state.failures.append(error) }
        }
    }
}
