import DeckEngine
import DeckJournal
import Testing

@testable import DeckHost

/// The last notifications of a session are available, whatever their number.
@Suite struct NotificationLogTests {
    @Test(arguments: [1, 3, 16, 17, 300]) func theLastNotificationsAreAvailable(batch: Int) throws {
        var (session, _) = DeckSession.begin(
            deck: Deck(cards: .numbered(2000)),
            viewport: Size(width: 100, height: 100)
        )
        var log = NotificationLog()
        var all: [DeckNotification] = []
        while all.count < 900 {
            var notifications: [DeckNotification] = []
            while notifications.count < batch {
                notifications += try session.apply(.swipe(.left), at: session.now + 1000).notifications
            }
            log.append(notifications)
            all += notifications
            let last = all.last?.sequence ?? 0
            for sequence in [0, last - 300, last - 256, last - 255, last - 64, last - 17, last - 1, last, last + 1] {
                let later = all.filter { ($0.sequence ?? 0) > sequence }
                #expect(log.since(sequence) == Array(later.suffix(256)), "\(last) since \(sequence)")
                #expect(Array(log.unsaved(after: sequence)) == Array(later.suffix(64)), "\(last) after \(sequence)")
            }
        }
    }
}
