import DeckEngine
import DeckHost

/// Finds the notifications that a watcher does not have yet.
///
/// Some notifications come with time alone, before the next event. An event of an offline client can then still come with an
/// earlier time. In this case the notifications that were sent in advance are wrong, and the right ones are sent with the same
/// numbers.
struct NotificationReader: Sendable {
    /// The number of the last notification that was sent and cannot change any more.
    private var sent: Int
    /// The notifications after it, which were sent in advance.
    private var sentInAdvance: [DeckNotification] = []
    /// The number of notifications without a number that were sent, or came before.
    private var passed: Int

    /// A reader that knows the notifications up to a number.
    ///
    /// - Parameters:
    ///   - known: nil: all. A number that does not exist yet counts as the last one.
    ///   - coming: those that come with time after the last event.
    init(knowing known: Int?, of state: HostedSession.State, with coming: [DeckNotification]) {
        sent = state.session.lastNotification
        sentInAdvance = coming
        passed = state.notifications.passing.count
        guard let known, known < sent + sentInAdvance.count else { return }
        sentInAdvance = Array(sentInAdvance.prefix(max(0, known - sent)))
        sent = min(sent, known)
    }

    /// The number of the last notification that was sent.
    var last: Int {
        sent + sentInAdvance.count
    }

    /// The new notifications of a session at a moment, in order.
    ///
    /// - Parameter coming: those that come with time after the last event.
    mutating func read(_ state: HostedSession.State, with coming: [DeckNotification]) -> [DeckNotification] {
        var new = state.notifications.since(sent) + coming
        let known = zip(new, sentInAdvance).prefix { $0 == $1 }.count
        new.removeFirst(known)
        sent = state.session.lastNotification
        sentInAdvance = coming
        let passing = state.notifications.passing
        // A session that was loaded again counts from 0.
        passed = min(passed, passing.count)
        if passing.count > passed, let notification = passing.notification {
            passed = passing.count
            let place = new.firstIndex { ($0.sequence ?? 0) > passing.sequence } ?? new.endIndex
            new.insert(notification, at: place)
        }
        return new
    }
}
