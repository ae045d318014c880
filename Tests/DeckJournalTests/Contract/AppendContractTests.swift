import DeckJournal
import JournalTesting
import Locking
import Testing

@Suite struct AppendContractTests {
    @Test(arguments: JournalKind.allCases) func anEntryChangesTheSession(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            let first = try await journal.created(.sample("a"))
            let entry = Entry.sample("a", 5, at: 3000)
            let second = try await journal.appended(entry, to: "a", after: first)
            #expect(second > first)
            let session = try #require(try await journal.stored("a"))
            #expect(session.revision == second)
            #expect(session.headNonce == entry.nonce)
            #expect(session.version == 5)
            #expect(session.state == bytes("a at 5"))
            #expect(session.lastActiveAt == time(3000))
            #expect(session.identity == NewSession.sample("a").identity)
        }
    }

    @Test(arguments: JournalKind.allCases) func anEntryAfterAnotherRevisionChangesNothing(
        _ kind: JournalKind
    ) async throws {
        try await kind.run { journal in
            let first = try await journal.created(.sample("a", cards: [1]))
            let other = try await journal.created(.sample("b"))
            let second = try await journal.appended(.sample("a", 2), to: "a", after: first)
            var entry = Entry.sample("a", 9, feedRecords: [.given(1)], notifications: ["x"])
            entry.cards = .replaced([2])
            entry.logLines = [bytes("line")]
            entry.answers = [.sample("k", "")]
            let before = try await journal.found("a")
            for revision in [first, other] {
                #expect(await journal.appendError(entry, to: "a", after: revision) == .conflict(current: second))
            }
            #expect(try await journal.found("a") == before)
            #expect(try await journal.answer("k", of: "a") == nil)
            #expect(try await journal.wholeLog(of: "a").lines.isEmpty)
            #expect(try await journal.wholeFeed().rows.isEmpty)
            #expect(await journal.appendError(entry, to: "nobody", after: first) == .conflict(current: nil))
        }
    }

    /// A database that has lost commits can have another entry at the same revision.
    @Test(arguments: JournalKind.allCases) func anEntryFollowsTheEntryThatItNames(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            let first = try await journal.created(.sample("a", nonce: 7))
            try await journal.created(.sample("b"))
            var entry = Entry.sample("a", 2)
            entry.predecessorNonce = 8
            #expect(await journal.appendError(entry, to: "a", after: first) == .conflict(current: first))
            #expect(try await value { journal.heads(of: ["a"], completion: $0) } == ["a": LedgerHead(first, nonce: 7)])
            entry.predecessorNonce = 7
            let second = try await journal.appended(entry, to: "a", after: first)
            let head = LedgerHead(second, nonce: entry.nonce)
            #expect(try await value { journal.heads(of: ["a"], completion: $0) } == ["a": head])
            try await value { journal.touch(["a"], at: time(9000), completion: $0) }
            #expect(try await value { journal.heads(of: ["a", "none"], completion: $0) } == ["a": head])
            // A retry.
            #expect(try await journal.appended(entry, to: "a", after: first) == second)
        }
    }

    @Test(arguments: JournalKind.allCases) func aRetryChangesNothing(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            let first = try await journal.created(.sample("a"))
            var entry = Entry.sample("a", 2, feedRecords: [.given(1)], notifications: ["x"])
            entry.answers = [.sample("k", "done")]
            entry.logLines = [bytes("line")]
            entry.cards = .edited([1])
            let second = try await journal.appended(entry, to: "a", after: first)
            let before = try await journal.found("a")
            #expect(try await journal.appended(entry, to: "a", after: first) == second)
            #expect(try await journal.found("a") == before)
            #expect(try await journal.wholeFeed().rows.count == 1)
            #expect(try await journal.wholeLog(of: "a").lines.count == 1)
            // Another entry after the same revision is no retry, nor is the entry after its own revision.
            var other = entry
            other.nonce += 1
            #expect(await journal.appendError(other, to: "a", after: first) == .conflict(current: second))
            #expect(await journal.appendError(entry, to: "a", after: second) == .alreadyAnswered)
            // Only the head can be retried.
            let third = try await journal.appended(.sample("a", 3), to: "a", after: second)
            #expect(await journal.appendError(entry, to: "a", after: first) == .conflict(current: third))
        }
    }

    @Test(arguments: JournalKind.persistent) func aRetryAfterReopeningChangesNothing(_ kind: JournalKind) async throws {
        let bench = try Bench(kind)
        let first = try await bench.journal.created(.sample("a"))
        let entry = Entry.sample("a", 2, feedRecords: [.given(1)])
        let second = try await bench.journal.appended(entry, to: "a", after: first)
        let journal = try await bench.reopen()
        #expect(try await journal.stored("a")?.headNonce == entry.nonce)
        #expect(try await journal.appended(entry, to: "a", after: first) == second)
        #expect(try await journal.wholeFeed().rows.count == 1)
        try await journal.closed()
    }

    @Test(arguments: JournalKind.allCases) func cardsAreEditedOrReplaced(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            var head = try await journal.created(.sample("a"))
            let large = [UInt8](repeating: 9, count: 700_000)
            let changes: [(CardsChange, StoredCards?)] = [
                (.unchanged, nil), (.replaced([1, 2]), StoredCards(base: [1, 2])),
                (.edited([3]), StoredCards(base: [1, 2], edits: [[3]])),
                (.unchanged, StoredCards(base: [1, 2], edits: [[3]])),
                (.edited([]), StoredCards(base: [1, 2], edits: [[3], []])), (.replaced([]), StoredCards(base: [])),
                (.edited([4]), StoredCards(base: [], edits: [[4]])),
                (.replaced(large), StoredCards(base: large)), (.edited([5]), StoredCards(base: large, edits: [[5]])),
                (.replaced([6]), StoredCards(base: [6])),
            ]
            for (version, (change, cards)) in zip(2..., changes) {
                var entry = Entry.sample("a", version)
                entry.cards = change
                head = try await journal.appended(entry, to: "a", after: head)
                #expect(try await journal.stored("a")?.cards == cards, "\(version)")
            }
        }
    }

    @Test(arguments: JournalKind.allCases) func sessionsHaveTheirCardsWhateverOthersDo(_ kind: JournalKind) async throws
    {
        try await kind.run { journal in
            var sessions = SessionsWithCards(seed: 7)
            try await sessions.play(200, on: journal)
            for (id, cards) in sessions.cards { #expect(try await journal.stored(id)?.cards == cards, "\(id)") }
        }
    }

    @Test(arguments: JournalKind.allCases) func theLastNotificationsAreLoaded(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            var new = NewSession.sample("a")
            new.notifications = [bytes("first"), []]
            var head = try await journal.created(new)
            var expected = new.notifications
            for version in 2...90 {
                let count = version.isMultiple(of: 3) ? 0 : version % 4
                let notifications = (0..<count).map { "\(version).\($0)" }
                head = try await journal.appended(
                    .sample("a", version, notifications: notifications),
                    to: "a",
                    after: head
                )
                expected = (expected + notifications.map(bytes)).suffix(SessionLimits.notifications)
                guard version.isMultiple(of: 7) || version == 90 else { continue }
                #expect(try await journal.stored("a")?.notifications == expected, "\(version)")
            }
            #expect(expected.count == SessionLimits.notifications)
            let many = (0..<100).map { "many \($0)" }
            try await journal.appended(.sample("a", 91, notifications: many), to: "a", after: head)
            #expect(try await journal.stored("a")?.notifications == many.suffix(SessionLimits.notifications).map(bytes))
        }
    }

    @Test(arguments: JournalKind.allCases) func thePartsThatTheStateNeedsAreLoaded(_ kind: JournalKind) async throws {
        let bench = try Bench(kind)
        var new = NewSession.sample("a")
        new.parts = [bytes("first"), bytes("second")]
        var head = try await bench.journal.created(new)
        var expected = new.parts
        #expect(try await bench.journal.stored("a")?.parts == expected)
        for version in 2...119 {
            let new = (0..<version % 3).map { bytes("\(version).\($0)") }
            // Long runs of entries need many parts, and some entries need none.
            let count = version % 40 == 0 ? 0 : min(expected.count + new.count, version % 50)
            var entry = Entry.sample("a", version, notifications: version.isMultiple(of: 2) ? ["\(version)"] : [])
            entry.parts = StateParts(new: new, neededCount: max(count, new.count))
            head = try await bench.journal.appended(entry, to: "a", after: head)
            expected = (expected + new).suffix(entry.parts.neededCount)
            guard version.isMultiple(of: 7) || version == 119 else { continue }
            #expect(try await bench.journal.stored("a")?.parts == expected, "\(version)")
        }
        if JournalKind.persistent.contains(kind) { _ = try await bench.reopen() }
        #expect(try await bench.journal.stored("a")?.parts == expected)
        #expect(expected.count > 5)
        try await bench.journal.closed()
    }

    @Test(arguments: JournalKind.allCases) func completionsOfASessionAreInOrder(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            let completed = Lock<[Int]>([])
            await withCheckedContinuation { continuation in
                for number in 0..<300 {
                    // Each creation after the first is a retry.
                    journal.create(.sample("a")) { result in
                        let count = completed.withLock { completed in
                            if case .success = result { completed.append(number) }
                            return completed.count
                        }
                        if count == 300 { continuation.resume() }
                    }
                }
            }
            #expect(completed.withLock { $0 } == Array(0..<300))
        }
    }

    @Test(arguments: JournalKind.allCases) func aConflictFailsItsOwnEntryOnly(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            var heads: [Revision] = []
            for session in 0..<40 { heads.append(try await journal.created(.sample("s\(session)"))) }
            let first = heads
            let errors = await withTaskGroup(of: (Int, JournalError?).self) { group in
                for session in 0..<40 {
                    let expected = session.isMultiple(of: 3) ? first[(session + 1) % 40] : first[session]
                    group.addTask {
                        let entry = Entry.sample("s\(session)", 2, feedRecords: [.given(1)])
                        return (session, await journal.appendError(entry, to: "s\(session)", after: expected))
                    }
                }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            for session in 0..<40 {
                let isRefused = session.isMultiple(of: 3)
                #expect(errors[session] == (isRefused ? .conflict(current: first[session]) : nil))
                #expect(try await journal.stored("s\(session)")?.version == (isRefused ? 1 : 2))
            }
        }
    }

    @Test(arguments: JournalKind.allCases) func ofTwoEntriesAfterOneRevisionOneIsAppended(
        _ kind: JournalKind
    ) async throws {
        try await kind.run { journal in
            let first = try await journal.created(.sample("a"))
            let errors = await withTaskGroup(of: JournalError?.self) { group in
                for number in 1...20 {
                    var entry = Entry.sample("a", 2, feedRecords: [.given(number)])
                    entry.nonce = UInt64(number)
                    group.addTask { [entry] in await journal.appendError(entry, to: "a", after: first) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let head = try await journal.stored("a")?.revision
            #expect(errors.filter { $0 == nil }.count == 1)
            #expect(errors.filter { $0 == .conflict(current: head) }.count == 19)
            #expect(try await journal.wholeFeed().rows.count == 1)
        }
    }
}
