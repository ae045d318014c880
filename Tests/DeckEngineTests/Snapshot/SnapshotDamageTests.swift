import Foundation
import RandomTesting
import Testing

@testable import DeckEngine

/// Snapshots with a valid checksum and invalid values: each is refused, or gives a session that works.
struct SnapshotDamageTests {
    static let seeds = Array(UInt64(1)...20)

    /// A session in the middle of its events.
    private func session(seed: UInt64) throws -> (session: DeckSession, notifications: [DeckNotification]) {
        let plan = RandomSession(seed: seed, stepCount: 12 + Int(seed))
        var session = plan.begin()
        var notifications: [DeckNotification] = []
        for step in plan.steps { notifications += try session.apply(step.event, at: step.time).notifications }
        switch seed % 4 {
        case 0: _ = try session.swipe(.right, force: true, at: session.now + 40)
        case 1: _ = try session.drag(.changed, .x(70), at: session.now + 40)
        case 2: _ = try session.apply(.nudge(.left), at: session.now + 40)
        default: break
        }
        return (session, notifications)
    }

    @Test(arguments: seeds)
    func aDamagedSessionIsRefusedOrWorks(seed: UInt64) throws {
        let bytes = try session(seed: seed).session.snapshot(withCards: true)
        var random = SeededNumbers(seed: seed)
        var refused = 0
        for number in 0..<600 {
            let damaged = DamagedBytes.withChecksum(DamagedBytes.damaged(bytes, using: &random))
            do {
                try use(DeckSession(snapshot: damaged), "damage \(number)")
            } catch is SnapshotError {
                refused += 1
            }
        }
        #expect(refused > 100 && refused < 600)
    }

    @Test(arguments: seeds)
    func damagedCardsAreRefusedOrWork(seed: UInt64) throws {
        let session = try session(seed: seed).session
        let (bytes, cards) = (session.snapshot(withCards: false), session.cardsSnapshot())
        var random = SeededNumbers(seed: seed)
        var refused = 0
        for number in 0..<300 {
            do {
                let damaged = DamagedBytes.damaged(cards, using: &random)
                try use(DeckSession(snapshot: bytes, cards: damaged), "damage \(number)")
            } catch is SnapshotError {
                refused += 1
            }
        }
        #expect(refused > 0)
    }

    @Test(arguments: seeds)
    func damagedNotificationsAreRefusedOrReadable(seed: UInt64) throws {
        let notifications = try session(seed: seed).notifications
        let bytes = NotificationSnapshot.bytes(of: notifications)
        var random = SeededNumbers(seed: seed)
        for _ in 0..<100 where bytes.count > 2 {
            let damaged = DamagedBytes.damaged(bytes, using: &random)
            guard let read = try? NotificationSnapshot.read(damaged[...]) else { continue }
            let again = NotificationSnapshot.bytes(of: read)
            #expect(try NotificationSnapshot.read(again[...]) == read)
            #expect(read.allSatisfy { $0.at.milliseconds.isFinite })
        }
    }

    @Test func aFingerAHintAndAPendingSwipeExcludeEachOther() throws {
        let finger = Finger(card: CardIdentity(0), location: .zero)
        let nudge = Nudge(direction: .left, start: 5)
        let swipe = PendingSwipe(direction: .left, cause: .redo, since: 5, until: 9)
        func read(_ finger: Finger?, _ nudge: Nudge?, _ swipe: PendingSwipe?) throws(SnapshotError) -> Hold {
            var writer = SnapshotWriter()
            writer.write(finger)
            if finger != nil { writer.write(DragSamples()) }
            writer.write(nudge)
            writer.write(swipe.map { StoredPendingSwipe(swipe: $0, released: nil) })
            var reader = SnapshotReader(writer.bytes[...], format: .latest)
            return try reader.read()
        }
        #expect(try read(nil, nil, nil) == Hold())
        #expect(try read(finger, nil, nil).finger == finger)
        #expect(try read(nil, nudge, nil).nudge == nudge)
        #expect(try read(nil, nil, swipe).pending == swipe)
        #expect(throws: SnapshotError.damaged) { try read(finger, nudge, nil) }
        #expect(throws: SnapshotError.damaged) { try read(finger, nil, swipe) }
        #expect(throws: SnapshotError.damaged) { try read(nil, nudge, swipe) }
        #expect(throws: SnapshotError.damaged) { try read(finger, nudge, swipe) }
    }

    /// Looks at a session and does something to it; nothing traps, and every number stays one.
    private func use(_ read: DeckSession, _ name: String) throws {
        var session = read
        let now = session.now
        func look() {
            for later: Milliseconds in [0, 90, 5000] {
                let frame = session.frame(at: session.now + later)
                // A frame is too long to print on a failure.
                let isFinite = frame.isFinite
                #expect(isFinite, "\(name), \(later.value) ms later")
            }
            let isFinite = session.motion(at: session.now).allSatisfy(\.isFinite)
            #expect(isFinite, "\(name), motion")
        }
        look()
        try session.swipe(.right, force: true, at: now + 10)
        look()
        try session.revert(.origin, at: now + 20)
        look()
        let again = try DeckSession(snapshot: session.snapshot(withCards: true))
        let isSame = again == session
        #expect(isSame, "\(name), read again")
    }

    // MARK: Later versions

    @Test(arguments: [UInt8(0), 3, 4, 127, 255])
    func aLaterFormatIsRefusedByItsNumber(number: UInt8) throws {
        let (session, notifications) = try session(seed: 3)
        let later = SnapshotError.unknownFormat(Int(number))
        let cards = [number] + session.cardsSnapshot().dropFirst()
        let bytes = [number] + session.snapshot(withCards: true).dropFirst()
        #expect(throws: later) { try DeckSession(snapshot: DamagedBytes.withChecksum(bytes)) }
        let told = [number] + NotificationSnapshot.bytes(of: notifications).dropFirst()
        #expect(throws: later) { try NotificationSnapshot.read(told[...]) }
        // 0 and 1 are the first format of cards, which does not store its number.
        guard number > 1 else { return }
        #expect(throws: later) { try DeckSession(snapshot: session.snapshot(withCards: false), cards: cards) }
    }

    @Test(arguments: [("swipeThreshold", "swipeThreshole"), ("visibleCount", "visibleCounx"), ("loop", "lüp")])
    func aSettingThatIsNotKnownIsRefusedByItsName(known: String, unknown: String) throws {
        let session = DeckSession.make {
            $0.rules.swipeThreshold = 0.25
            var stack = StackLayout()
            stack.visibleCount = 4
            $0.layout = .stack(stack)
            $0.loop = true
        }
        var bytes = session.snapshot(withCards: true)
        // A name with the length of the known one leaves all lengths valid.
        let place = try #require(bytes.firstRange(of: Array(known.utf8)))
        bytes.replaceSubrange(place, with: unknown.utf8)
        #expect(throws: SnapshotError.unknownSetting(unknown)) {
            try DeckSession(snapshot: DamagedBytes.withChecksum(bytes))
        }
    }

    /// The next number would overflow.
    @Test(arguments: [1 << 53 + 1, Int.max, .min])
    func aNumberBeyondThoseOfSessionsIsRefused(number: Int) throws {
        var writer = SnapshotWriter()
        writer.write(1 << 53)
        writer.write(number)
        var reader = SnapshotReader(writer.bytes[...], format: .latest)
        #expect(try reader.read(Int.self) == 1 << 53)
        #expect(throws: SnapshotError.damaged) { try reader.read(Int.self) }
    }
}
