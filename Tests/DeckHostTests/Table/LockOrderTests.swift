import DeckJournal
import Dispatch
import Foundation
import Locking
import Testing

@testable import DeckHost

struct LockOrderTests {
    /// A session whose lock is held for long must not keep others from being found, whatever waits for it.
    @Test(arguments: ["eviction", "dropping idle sessions", "finding it"])
    func theTableIsNotLockedWhileASessionIsWaitedFor(waiting: String) async throws {
        let sessions = SessionTable(MemoryJournal(), residents: 2, idleTime: .zero)
        #expect(sessions.shards.count == 1)
        // Three, of which one is to leave once they are not watched any more.
        var watched: [(session: HostedSession, watcher: Int)] = []
        for _ in 0..<3 {
            let session = try await sessions.create()
            watched.append(
                try await host { done in
                    sessions.pin(session) { pinned in done(pinned.map { ($0, $0.watch {} ?? -1) }) }
                }
            )
        }
        #expect(sessions.residentCount == 3)
        for (session, watcher) in watched { session.unwatch(watcher) }
        let (busy, other) = (watched[0].session, watched[1].session)
        let (isHeld, mayGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let done = DispatchGroup()
        Self.onAThread(done) {
            busy.inside.withLock { _ in
                isHeld.signal()
                mayGo.wait()
            }
        }
        await Self.wait(isHeld)
        // The oldest is the busy one.
        for (session, _) in watched.dropFirst() { _ = try await sessions.find(session.identity.id) }
        let waiter = Lock<(thread: String?, isOver: Bool)>((nil, false))
        Self.onAThread(done) {
            let thread = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
            waiter.withLock { $0.thread = thread }
            switch waiting {
            case "eviction": sessions.makeRoom(for: busy.identity.id)
            case "finding it": sessions.find(busy.identity.id) { _ in }
            default: sessions.evictIdle()
            }
            waiter.withLock { $0.isOver = true }
        }
        try await until { waiter.withLock { $0.thread }.map(Self.waitsForALock) ?? false }
        #expect(!waiter.withLock { $0.isOver })
        let isFound = DispatchSemaphore(value: 0)
        Self.onAThread(done) {
            _ = sessions.shard(of: other.identity.id).withLock { $0.oldest(ifMoreThan: 0) }
            isFound.signal()
        }
        let result = await Self.wait(isFound, seconds: 10)
        mayGo.signal()
        #expect(result == .success)
        await withCheckedContinuation { continuation in
            done.notify(queue: .global()) { continuation.resume() }
        }
    }

    /// Whether a thread waits for the same lock for a while. The system says in which call it is, and with which arguments.
    ///
    /// - Parameter thread: its path under `/proc`.
    private static func waitsForALock(_ thread: String) -> Bool {
        func call() -> String? { try? String(contentsOfFile: "/proc/\(thread)/syscall", encoding: .utf8) }
        #if arch(arm64)
        let futex = "98 "
        #else
        let futex = "202 "
        #endif
        guard let first = call(), first.hasPrefix(futex) else { return false }
        usleep(20_000)
        return call() == first
    }

    private static func onAThread(_ group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "deckd.test").async(group: group, execute: body)
    }

    @discardableResult
    private static func wait(_ semaphore: DispatchSemaphore, seconds: Int = 60) async -> DispatchTimeoutResult {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "deckd.test").async {
                continuation.resume(returning: semaphore.wait(timeout: .now() + .seconds(seconds)))
            }
        }
    }
}
