import DeckEngine
import DeckJournal
import DeckWire
import Testing

@testable import DeckHost

/// Sessions as bytes in the journal.
struct SessionFormTests {
    private let identity = SessionIdentity(
        id: "s",
        tokenHash: [1],
        spectatorTokenHash: [2],
        deck: nil,
        createdAt: WallTime(milliseconds: 0),
        clock: "manual",
        isRecorded: false
    )

    private func state(_ preset: Preset) throws -> HostedSession.State {
        let deck = Deck(cards: .numbered(5), settings: DeckSettings(preset: preset))
        var (session, notifications) = DeckSession.begin(deck: deck, viewport: Size(width: 400, height: 600))
        notifications += try session.apply(.swipe(.left), at: 10.5).notifications
        var state = HostedSession.State(session: session, preset: preset)
        state.notifications.append(notifications)
        return state
    }

    /// The session with all its leaving cards, as a new session is saved.
    private func bytes(of state: HostedSession.State) -> [UInt8] {
        var saved = LeavingCardParts()
        return SessionForm.bytes(of: state, leavingCards: saved.save(state.session).references)
    }

    private func parts(of state: HostedSession.State) -> [[UInt8]] {
        var saved = LeavingCardParts()
        return saved.save(state.session).newParts
    }

    private func read(_ bytes: [UInt8], _ state: HostedSession.State) throws -> HostedSession.State {
        try SessionForm.read(
            StoredSession(
                identity: identity,
                revision: try #require(Revision("1")),
                headNonce: 1,
                version: 1,
                state: bytes,
                parts: parts(of: state),
                notifications: state.notifications.unsaved(after: 0).map { NotificationSnapshot.bytes(of: $0) },
                cards: StoredCards(base: state.session.cardsSnapshot()),
                lastActiveAt: WallTime(milliseconds: 0)
            )
        )
    }

    @Test(arguments: Preset.allCases)
    func whatIsWrittenIsRead(preset: Preset) throws {
        let state = try state(preset)
        let bytes = bytes(of: state)
        #expect(bytes.prefix(2) == [0x83, preset.rawValue])
        let read = try read(bytes, state)
        #expect(read.session == state.session)
        #expect(read.preset == preset)
        #expect(read.notifications.since(0) == state.notifications.since(0))
    }

    @Test func theSecondFormatIsRead() throws {
        let state = try state(.standard)
        func part(_ bytes: [UInt8]) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
        }
        let notifications = NotificationSnapshot.bytes(of: state.notifications.since(0))
        let session = state.session.snapshot(withCards: false)
        let bytes = [0x82, Preset.standard.rawValue] + part(notifications) + part(session)
        let stored = StoredSession(
            identity: identity,
            revision: try #require(Revision("1")),
            headNonce: 1,
            version: 1,
            state: bytes,
            cards: StoredCards(base: state.session.cardsSnapshot()),
            lastActiveAt: WallTime(milliseconds: 0)
        )
        var read = try SessionForm.read(stored)
        #expect(read.session == state.session)
        #expect(read.notifications.since(0) == state.notifications.since(0))
        // The next entry saves the notifications separately.
        #expect(read.entry(feedRecords: [], answers: []).notifications.count == state.notifications.since(0).count)
    }

    @Test func numbersContinueAboveThoseThatWereReserved() throws {
        var state = try state(.standard)
        let exact = state.entry(feedRecords: [], answers: []).state
        #expect(try read(exact, state).session.version == 1)
        state.usesBlock = true
        let reserving = state.entry(feedRecords: [], answers: []).state
        let loaded = try read(reserving, state)
        #expect(loaded.session.version == 1 + HostedSession.State.Reserved.versions + 1)
        let last = state.session.lastNotification + HostedSession.State.Reserved.notifications
        #expect(loaded.session.lastNotification == last)
        // A second load before any change shows the same state under the same version.
        #expect(try read(reserving, state).session == loaded.session)
        #expect(loaded.hasUnreservedNumbers)
    }

    @Test func aLaterFormatIsRefusedByItsNumber() throws {
        let state = try state(.standard)
        var bytes = bytes(of: state)
        bytes[0] = 0x84
        let error = #expect(throws: HostError.self) { try read(bytes, state) }
        guard case .unreadable(let reason)? = error else {
            Issue.record("\(String(describing: error)) was thrown")
            return
        }
        #expect(reason.contains("format 4"))
    }

    @Test func damagedBytesAreRefused() throws {
        let state = try state(.koloda)
        let bytes = bytes(of: state)
        for length in 0..<bytes.count {
            #expect(throws: HostError.self) { try read(Array(bytes.prefix(length)), state) }
        }
        #expect(throws: HostError.self) { try read(bytes + [0], state) }
        var otherPreset = bytes
        otherPreset[1] = 9
        #expect(throws: HostError.self) { try read(otherPreset, state) }
    }

    @Test(arguments: [2, 10])
    func aReservedNumberThatCannotBeContinuedIsRefused(place: Int) throws {
        let state = try state(.standard)
        var bytes = bytes(of: state)
        bytes.replaceSubrange(place..<place + 8, with: [255, 255, 255, 255, 255, 255, 255, 127])
        let error = #expect(throws: HostError.self) { try read(bytes, state) }
        #expect(error == .unreadable("The stored session cannot be read: it is damaged."))
    }
}
