/// The times before which data is removed; nil: it is never removed.
package struct DueTimes: Sendable {
    package var sessions: WallTime?
    package var answers: WallTime?
    package var feedRecords: WallTime?
    package var logs: WallTime?

    package init(_ ages: JournalAges, at now: WallTime) {
        sessions = ages.sessions?.before(now)
        answers = ages.answers?.before(now)
        feedRecords = ages.feedRecords?.before(now)
        logs = ages.logs?.before(now)
    }

    package var isEmpty: Bool {
        sessions == nil && answers == nil && feedRecords == nil && logs == nil
    }
}
