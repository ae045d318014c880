import DeckEngine
import DeckJournal
import DeckJournalSQLite
import FileTesting
import JournalTesting
import Testing

@testable import DeckHost

/// Many threads, more sessions than there is room for, and sessions that end meanwhile.
struct ContentionTests {
    @Test(arguments: [false, true])
    func everyOperationIsAppliedOnceUnlessItsSessionHasEnded(onDisk: Bool) async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let journal: any Journal = onDisk ? try SQLiteJournal(path: folder.file("j.sqlite")) : MemoryJournal()
        let sessions = SessionTable(journal, residents: 4)
        var ids: [String] = []
        for _ in 0..<24 { ids.append(try await sessions.create(cards: 2000).identity.id) }
        // The last few end in the middle.
        let mortal = Set(ids.suffix(6))
        let swipes = try await withThrowingTaskGroup(of: [String: Int].self) { [ids] group in
            for task in 0..<8 {
                group.addTask {
                    var swipes: [String: Int] = [:]
                    for step in 0..<60 {
                        let id = ids[(step * 7 + task * 3) % ids.count]
                        do throws(HostError) {
                            if step == 30, task < 6 { try await sessions.endTyped(ids[ids.count - 1 - task]) }
                            try await sessions.swipeOnce(id, key: step.isMultiple(of: 5) ? "\(task)-\(step)" : nil)
                            swipes[id, default: 0] += 1
                        } catch {
                            #expect(error == .ended && mortal.contains(id), "\(error)")
                        }
                    }
                    return swipes
                }
            }
            return try await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
        for id in ids where !mortal.contains(id) {
            let session = try await sessions.find(id)
            #expect(try await sessions.read(session).session.version == swipes[id])
        }
        for id in mortal { await #expect(throws: HostError.ended) { try await sessions.find(id) } }
        // The last arrival completes before it makes room.
        try await until { sessions.residentCount <= 4 }
        #expect(sessions.totalCount == 18)
        await withCheckedContinuation { continuation in journal.close { _ in continuation.resume() } }
    }
}

extension SessionTable {
    /// Finds a session and swipes a card.
    fileprivate func swipeOnce(_ id: String, key: String?) async throws(HostError) {
        do {
            let session = try await find(id)
            // Others may bring it out of memory here.
            await Task.yield()
            try await swipe(session, key: key)
        } catch {
            throw error as? HostError ?? .contended
        }
    }

    fileprivate func endTyped(_ id: String) async throws(HostError) {
        do {
            try await end(id)
        } catch {
            throw error as? HostError ?? .contended
        }
    }
}
