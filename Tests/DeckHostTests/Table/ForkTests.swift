import DeckEngine
import DeckJournal
import JournalTesting
import Locking
import Testing

@testable import DeckHost

/// Copies of sessions that change while they are copied.
struct ForkTests {
    private let journal = InterruptedJournal()

    @Test func aSessionThatChangesWheneverItIsReadCanBeCopied() async throws {
        let table = SessionTable(journal)
        let origin = try await table.create()
        for _ in 1...3 { try await table.swipe(origin) }
        _ = try await table.perform(.event(#"{"type":"revert","at":1000000000}"#), on: origin)
        let before = try await table.read(origin).session
        journal.beforeVerdicts.withLock { change in
            change = {
                try await table.swipe(origin)
                _ = try await table.perform(.event(#"{"type":"revert","count":2,"at":1000000000}"#), on: origin)
                try await table.swipe(origin)
            }
        }
        let result = try await host { table.fork(origin, at: nil, paying: origin.payment, $0) }
        journal.beforeVerdicts.withLock { $0 = nil }
        guard case .created(let copy) = result else { throw HostError.notFound }
        #expect(
            try await table.read(copy.session).session.snapshot(withCards: true) == before.snapshot(withCards: true)
        )
        #expect(try await table.standingVerdicts(of: copy.session) == [1, 2])
        #expect(try await table.read(origin).session.version == before.version + 3)
    }
}

/// A journal that lets something happen before the verdicts of a session are read.
private final class InterruptedJournal: ForwardingJournal {
    let inner: any Journal = MemoryJournal()
    let beforeVerdicts = Lock<(@Sendable () async throws -> Void)?>(nil)

    func standingVerdicts(
        of session: String,
        after number: Int,
        limit: Int,
        completion: @escaping JournalCompletion<StandingPage>
    ) {
        let change = beforeVerdicts.withLock(\.self)
        Task {
            do { try await change?() } catch { Issue.record(error) }
            inner.standingVerdicts(of: session, after: number, limit: limit, completion: completion)
        }
    }
}
