import DeckJournal
import DeckJournalPostgreSQL
import DeckJournalSQLite
import DeckService

/// Where decks and sessions are stored.
enum DataPlace: Hashable {
    case memory
    /// A file of SQLite.
    case file(String)
    /// A database of PostgreSQL, by its address.
    case database(String)

    /// - Parameter text: the setting `data`.
    init(_ text: String) {
        if text == ":memory:" {
            self = .memory
        } else if ["postgres://", "postgresql://"].contains(where: text.hasPrefix) {
            self = .database(text)
        } else {
            self = .file(text)
        }
    }
}

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

    /// Opens the journal that the setting `data` names.
    func openJournal() throws(JournalError) -> any Journal {
        let options = JournalOptions(ages: journalAges)
        return switch DataPlace(data) {
        case .memory: MemoryJournal(options: options)
        case .file(let path): try SQLiteJournal(path: path, options: options)
        case .database(let address): try PostgreSQLJournal(address: address, options: options)
        }
    }

    /// The setting `data` as it may be logged.
    var dataName: String {
        guard case .database(let address) = DataPlace(data) else { return data }
        return PostgreSQLJournal.name(of: address)
    }

    /// A number of days; nil for 0, which means for ever.
    private static func days(_ count: Int) -> Duration? {
        count > 0 ? .seconds(count * 24 * 3600) : nil
    }
}
