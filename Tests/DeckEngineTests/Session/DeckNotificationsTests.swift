import RandomTesting
import Testing

@testable import DeckEngine

/// A list of notifications behaves as an array.
struct DeckNotificationsTests {
    private static func numbered(_ number: Int) -> DeckNotification {
        DeckNotification(sequence: number, at: 0, kind: .didShow(index: number), cardID: CardID(number))
    }

    @Test(arguments: 0..<5) func itHasWhatWasAppendedInOrder(count: Int) {
        var notifications = DeckNotifications()
        #expect(notifications.isEmpty)
        for number in 0..<count { notifications.append(Self.numbered(number)) }
        #expect(notifications.count == count)
        #expect(Array(notifications) == (0..<count).map(Self.numbered))
        #expect(notifications.last == (count > 0 ? Self.numbered(count - 1) : nil))
    }

    @Test func changesAreThoseOfAnArray() {
        var random = SeededNumbers(seed: 15)
        var notifications = DeckNotifications()
        var array: [DeckNotification] = []
        for number in 0..<500 {
            let start = Int.random(in: 0...array.count, using: &random)
            let range = start..<Int.random(in: start...array.count, using: &random)
            let others = (0..<Int.random(in: 0...3, using: &random)).map { Self.numbered(10 * number + $0) }
            notifications.replaceSubrange(range, with: others)
            array.replaceSubrange(range, with: others)
            if number % 3 == 0 {
                notifications.append(Self.numbered(10 * number + 9))
                array.append(Self.numbered(10 * number + 9))
            }
            #expect(Array(notifications) == array)
            #expect(notifications == DeckNotifications(array))
        }
    }
}
