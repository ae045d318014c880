import DeckEngine
import DeckHost

/// Tells which notifications a watcher has not been told yet.
///
/// Time brings notifications before any event does, and an event may still come whose time lies before them: an offline
/// client's. Then what was told in advance has not happened so, and what has happened is told under the same numbers.
struct NewsReader: Sendable {
    /// The number of the last that was told and cannot change any more.
    private var told: Int
    /// What was told in advance, after that.
    private var foretold: [DeckNotification] = []
    /// How many of those without a number there had been.
    private var passed: Int

    /// A reader that knows the notifications up to a number.
    ///
    /// - Parameter known: nil: all that there are. A number that there was not yet counts as the last one.
    init(knowing known: Int?, of state: HostedSession.State, at time: Instant) {
        told = state.session.lastNotification
        foretold = state.coming(until: time)
        passed = state.notifications.passing.count
        guard let known, known < told + foretold.count else { return }
        foretold = Array(foretold.prefix(max(0, known - told)))
        told = min(told, known)
    }

    /// The number of the last one that was told.
    var last: Int {
        told + foretold.count
    }

    /// What there is to tell of a session at a time, in order.
    mutating func read(_ state: HostedSession.State, at time: Instant) -> [DeckNotification] {
        let coming = state.coming(until: time)
        var news = state.notifications.since(told) + coming
        let known = zip(news, foretold).prefix { $0 == $1 }.count
        news.removeFirst(known)
        told = state.session.lastNotification
        foretold = coming
        let passing = state.notifications.passing
        if passing.count > passed, let notification = passing.notification {
            passed = passing.count
            let place = news.firstIndex { ($0.sequence ?? 0) > passing.sequence } ?? news.endIndex
            news.insert(notification, at: place)
        }
        return news
    }
}

extension HostedSession.State {
    /// What time brings after the last event.
    func coming(until time: Instant) -> [DeckNotification] {
        var future = session
        return future.advance(to: time).filter { $0.sequence != nil }
    }
}
