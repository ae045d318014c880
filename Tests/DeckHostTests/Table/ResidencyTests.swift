import DeckJournal
import JournalTesting
import Testing

@testable import DeckEngine
@testable import DeckHost

struct ResidencyTests {
    private static let start = ContinuousClock.now

    private func after(_ seconds: Int) -> ContinuousClock.Instant { Self.start + .seconds(seconds) }

    @Test func aUseCountsAsIdleFromTheFirstMarkAfterIt() {
        let residency = Residency(idleTime: .seconds(100))
        #expect(residency.mark(5, at: after(0)) == nil)
        #expect(residency.mark(7, at: after(60)) == nil)
        #expect(residency.mark(9, at: after(99)) == nil)
        #expect(residency.mark(9, at: after(100)) == 5)
        #expect(residency.mark(9, at: after(120)) == 5)
        #expect(residency.mark(12, at: after(160)) == 7)
        #expect(residency.mark(12, at: after(1000)) == 12)
    }

    @Test func idleSessionsLeaveMemoryAndAreFoundAgain() async throws {
        let sessions = SessionTable(MemoryJournal(), idleTime: .seconds(100))
        var ids: [String] = []
        for _ in 0..<10 { ids.append(try await sessions.create().identity.id) }
        #expect(sessions.residentCount == 10)
        sessions.evictIdle(at: after(0))
        sessions.evictIdle(at: after(99))
        #expect(sessions.residentCount == 10)
        // The even ones are used once more.
        let used = ids.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        for id in used { _ = try await sessions.find(id) }
        sessions.evictIdle(at: after(100))
        #expect(sessions.residentCount == 5)
        #expect(sessions.totalCount == 10)
        for id in ids { #expect(try await sessions.find(id).identity.id == id) }
        #expect(sessions.residentCount == 10)
        sessions.evictIdle(at: after(101))
        sessions.evictIdle(at: after(300))
        #expect(sessions.residentCount == 0)
        #expect(sessions.evictionCount == 15)
        _ = try await sessions.find(ids[0])
        #expect(sessions.loadCount == 6)
    }

    @Test func sessionsThatAreLoadedShareEqualSettings() async throws {
        let sessions = SessionTable(MemoryJournal(), idleTime: .seconds(100))
        var ids: [String] = []
        for _ in 0..<3 { ids.append(try await sessions.create().identity.id) }
        sessions.evictIdle(at: after(0))
        sessions.evictIdle(at: after(100))
        #expect(sessions.residentCount == 0)
        var addresses: Set<UnsafePointer<DeckSettings>> = []
        for id in ids {
            let state = try await sessions.read(try await sessions.find(id))
            addresses.insert(state.session.scene.sharedSettings.address)
        }
        #expect(sessions.residentCount == 3)
        #expect(addresses.count == 1)
    }

    @Test func aWatchedSessionStaysAlthoughOthersNeedItsPlace() async throws {
        let sessions = SessionTable(MemoryJournal(), residents: 64)
        let (watched, left) = (try await sessions.create(), try await sessions.create())
        let watcher = try #require(watched.watch {})
        for _ in 0..<1000 { try await sessions.create() }
        #expect(try await sessions.find(watched.identity.id) === watched)
        #expect(try await sessions.find(left.identity.id) !== left)
        watched.unwatch(watcher)
        for _ in 0..<1000 { try await sessions.create() }
        #expect(try await sessions.find(watched.identity.id) !== watched)
    }
}
