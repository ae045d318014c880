import DeckJournal
import JournalTesting
import Testing

@Suite struct SessionStatusTests {
    private func head(at position: Int) -> SessionStatus {
        .current(LastEntry(position: position, predecessor: -1, nonce: 7))
    }

    /// A session that was stored before sessions had revisions has position 0, and its nonce says nothing.
    @Test func aSessionWithoutARevisionIsNoRetry() throws {
        let session = NewSession.sample("a", nonce: 7)
        #expect(try head(at: 3).earlierRevision(of: session) == Revision(position: 3))
        let zero = Revision(position: 0)
        #expect(throws: JournalError.conflict(current: zero)) { try head(at: 0).earlierRevision(of: session) }
    }

    @Test func countsAreReadOnlyIfTheyAreLimited() {
        var session = NewSession.sample("a")
        session.identity.owner = "app"
        session.identity.root = "first"
        var read: [String] = []
        func refusal() -> JournalError? {
            session.refusal(
                in: 0,
                sessionCount: 5,
                ownerCount: { name in
                    read.append(name)
                    return 2
                },
                familyCount: { name in
                    read.append(name)
                    return 1
                }
            )
        }
        #expect(refusal() == nil)
        #expect(read.isEmpty)
        session.ownerLimit = 3
        session.familyLimit = 1
        #expect(refusal() == .familyFull(limit: 1))
        #expect(read == ["app", "first"])
    }
}
