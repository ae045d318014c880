import DeckJournal
import DeckService

extension Settings {
    /// The ages after which the journal removes data.
    var journalAges: JournalAges {
        JournalAges(
            sessions: Self.days(idleSessionDays),
            answers: DeckService.answerLifetime,
            verdicts: Self.days(verdictDays),
            logs: Self.days(logDays)
        )
    }

    /// A number of days; nil for 0, which means for ever.
    private static func days(_ count: Int) -> Duration? {
        count > 0 ? .seconds(count * 24 * 3600) : nil
    }
}
