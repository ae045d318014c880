import RandomTesting
import Testing

@testable import DeckEngine

/// A history is a small part of the stored bytes.
struct SnapshotSizeTests {
    private static let told = 64

    private func cards(listed: Bool) -> CardList {
        listed ? .listed((0..<2000).map { Card(id: "card-\($0)") }) : .numbered(2000)
    }

    /// The size in bytes of a session with its last notifications after this many swipes, half of them by hand.
    private func size(after swipes: Int, listed: Bool) throws -> Int {
        var random = SeededNumbers(seed: 7)
        let deck = Deck(cards: cards(listed: listed))
        var session = DeckSession.begin(deck: deck, viewport: Size(width: 300, height: 400)).session
        var notifications: [DeckNotification] = []
        for number in 0..<swipes {
            let time = Instant(Double(number) * 1500 + .random(in: 0..<300, using: &random))
            let direction = random.pick([Direction.left, .right])
            if random.chance(0.5) {
                notifications += try session.swipe(direction, at: time).notifications
                continue
            }
            let way = direction == .left ? -1.0 : 1
            notifications += try session.drag(.began, at: time).notifications
            let place = Vector(x: way * 140, y: .random(in: -40...40, using: &random))
            notifications += try session.drag(.changed, place, at: time + 83.25).notifications
            notifications += try session.drag(.ended, velocity: .x(way * 400), at: time + 99.5).notifications
        }
        notifications += session.advance(to: session.now + 5000)
        #expect(session.revertibleCount == swipes)
        #expect(session.lastVerdict == swipes)
        let kept = notifications.filter { $0.sequence != nil }.suffix(Self.told)
        #expect(swipes < 100 || kept.count == Self.told)
        return session.snapshot(withCards: false).count + NotificationSnapshot.bytes(of: Array(kept)).count
    }

    @Test(arguments: [false, true])
    func aThousandSwipesTakeAtMostTwiceTheBytesOfTen(listed: Bool) throws {
        let (few, many) = (try size(after: 10, listed: listed), try size(after: 1000, listed: listed))
        #expect(many <= 2 * few, "\(few) bytes after 10 swipes, \(many) after 1000")
        // Check of the measurement: neither is empty.
        #expect(few > 100 && many > few)
    }
}
