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

    private func read(_ bytes: [UInt8], _ state: HostedSession.State) throws(HostError) -> HostedSession.State {
        try SessionForm.read(
            StoredSession(
                identity: identity,
                version: 1,
                snapshot: bytes,
                cards: state.session.cardsSnapshot(),
                logSize: LogSize(),
                lastActiveAt: WallTime(milliseconds: 0)
            )
        )
    }

    @Test(arguments: Preset.allCases)
    func whatIsWrittenIsRead(preset: Preset) throws {
        let state = try state(preset)
        let bytes = SessionForm.snapshot(state)
        #expect(bytes.prefix(2) == [0x82, preset.rawValue])
        let read = try read(bytes, state)
        #expect(read.session == state.session)
        #expect(read.preset == preset)
        #expect(read.notifications.last(100) == state.notifications.last(100))
    }

    @Test func aLaterFormatIsRefusedByItsNumber() throws {
        let state = try state(.standard)
        var bytes = SessionForm.snapshot(state)
        bytes[0] = 0x83
        let error = #expect(throws: HostError.self) { try read(bytes, state) }
        guard case .unreadable(let reason)? = error else {
            Issue.record("\(String(describing: error)) was thrown")
            return
        }
        #expect(reason.contains("format 3"))
    }

    @Test func damagedBytesAreRefused() throws {
        let state = try state(.koloda)
        let bytes = SessionForm.snapshot(state)
        for length in 0..<bytes.count {
            #expect(throws: HostError.self) { try read(Array(bytes.prefix(length)), state) }
        }
        #expect(throws: HostError.self) { try read(bytes + [0], state) }
        var otherPreset = bytes
        otherPreset[1] = 9
        #expect(throws: HostError.self) { try read(otherPreset, state) }
    }
}
