import DeckEngine
import DeckJournal
import Testing

@testable import DeckHost

/// How many sessions are in memory.
struct RoomTests {
    @Test(arguments: [1, 2, 10, 63, 64, 100])
    func thereAreNeverMoreInMemoryThanTheLimit(limit: Int) async throws {
        let sessions = SessionTable(MemoryJournal(), residents: limit)
        var ids: [String] = []
        for count in 1...300 {
            ids.append(try await sessions.create(cards: 1).identity.id)
            #expect(sessions.residentCount == min(count, limit))
        }
        for id in ids.shuffled() { _ = try await sessions.find(id) }
        #expect(sessions.residentCount == limit)
    }

    /// A refused event has no version. It moves a manual clock and adds a line to the log.
    @Test func aRefusedEventIsSavedBeforeItsSessionLeaves() async throws {
        let sessions = SessionTable(MemoryJournal(), idleTime: .zero)
        let session = try await sessions.create(isRecorded: true)
        try await sessions.swipe(session)
        let refused = try Operation.event(#"{"type":"swipe","direction":"up","at":2000000000}"#)
        _ = try await sessions.perform(refused, on: session)
        let before = try await sessions.read(session)
        #expect(before.session.now == 2_000_000_000 && before.log?.lineCount == 3)
        #expect(!session.isSavedExactly)
        sessions.evictIdle()
        try await until { sessions.residentCount == 0 }
        let after = try await sessions.read(try await sessions.find(session.identity.id))
        #expect(after.session.now == before.session.now && after.session.version == before.session.version)
        #expect(after.log?.lineCount == 3)
    }

    /// A refused event changes only the time, or only the log.
    @Test(arguments: [(isRecorded: false, time: 2_000_000_000), (isRecorded: true, time: 1_500_000_000)])
    func thePartThatARefusedEventChangesIsSaved(isRecorded: Bool, time: Int) async throws {
        let sessions = SessionTable(MemoryJournal(), idleTime: .zero)
        let created = try await sessions.create(isRecorded: isRecorded)
        try await sessions.swipe(created)
        // From then on time has no effects.
        _ = try await sessions.perform(try Operation.event(#"{"type":"tick","at":1500000000}"#), on: created)
        sessions.evictIdle()
        try await until { sessions.residentCount == 0 }
        // Nothing is reserved for it.
        let session = try await sessions.find(created.identity.id)
        let refused = try Operation.event(#"{"type":"swipe","direction":"up","at":\#(time)}"#)
        _ = try await sessions.perform(refused, on: session)
        let before = try await sessions.read(session)
        sessions.evictIdle()
        try await until { sessions.residentCount == 0 }
        let after = try await sessions.read(try await sessions.find(session.identity.id))
        #expect(after.session.now == before.session.now && before.session.now.milliseconds == Double(time))
        #expect(after.log?.lineCount == before.log?.lineCount && (before.log?.lineCount == 4) == isRecorded)
    }

    @Test func sessionsWithChangesThatAreNotSavedLeaveOnceTheyAre() async throws {
        let journal = StallingJournal()
        let sessions = SessionTable(journal, residents: 10)
        var created: [HostedSession] = []
        for _ in 0..<20 { created.append(try await sessions.create()) }
        journal.stall(.commit)
        // The first tap of each commits a block of numbers.
        let tap = try Operation.event(#"{"type":"tap","at":1}"#)
        let taps = created.map { session in Task { try await sessions.perform(tap, on: session) } }
        try await until { journal.heldCount == 20 }
        #expect(sessions.residentCount == 20)
        journal.release()
        for tap in taps { _ = try await tap.value }
        try await until { sessions.residentCount == 10 }
        for session in created {
            let found = try await sessions.find(session.identity.id)
            #expect(try await sessions.read(found).session.version == 1)
        }
    }

    @Test func watchedSessionsAreInMemoryAboveTheLimitOnlyAsLongAsTheyAreWatched() async throws {
        let sessions = SessionTable(MemoryJournal(), residents: 10)
        var watched: [(HostedSession, Int)] = []
        for _ in 0..<30 {
            let session = try await sessions.create(cards: 1)
            // It may have left at once, because no other can.
            watched.append(
                try await host { done in
                    sessions.pin(session) { pinned in done(pinned.map { ($0, $0.watch {} ?? -1) }) }
                }
            )
        }
        for _ in 0..<100 { try await sessions.create(cards: 1) }
        #expect(sessions.residentCount <= 31)
        #expect(sessions.residentCount >= 30)
        for (session, watcher) in watched { session.unwatch(watcher) }
        for _ in 0..<10 { try await sessions.create(cards: 1) }
        #expect(sessions.residentCount == 10)
    }

    @Test func thoseThatWereNotUsedForLongLeaveFirst() async throws {
        let sessions = SessionTable(MemoryJournal(), residents: 256)
        var used: [HostedSession] = []
        for _ in 0..<32 { used.append(try await sessions.create(cards: 1)) }
        for number in 0..<2000 {
            try await sessions.create(cards: 1)
            // Each of them is used every 64 arrivals.
            if number.isMultiple(of: 2) { _ = try await sessions.find(used[number / 2 % 32].identity.id) }
        }
        #expect(sessions.residentCount == 256)
        for session in used { #expect(try await sessions.find(session.identity.id) === session) }
    }
}
