import DeckJournal
import DeckJournalPostgreSQL
import DeckJournalSQLite
import DeckService

extension Settings {
    /// The ages after which the journal removes data.
    var journalAges: JournalAges {
        JournalAges(
            sessions: Self.days(idleSessionDays),
            answers: DeckService.answerLifetime,
            feedRecords: Self.days(verdictDays),
            logs: Self.days(logDays)
        )
    }

    /// Opens the journal that the setting `data` names.
    func openJournal() throws(OpeningFailure) -> any Journal {
        let options = JournalOptions(ages: journalAges)
        return switch DataPlace(data) {
        case .memory: MemoryJournal(options: options)
        case .file(let path):
            try Self.open(path) { () throws(JournalError) in try SQLiteJournal(path: path, options: options) }
        case .databases(let addresses): try Self.open(addresses, options)
        }
    }

    private static func open(_ addresses: [String], _ options: JournalOptions) throws(OpeningFailure) -> any Journal {
        var databases: [PostgreSQLJournal] = []
        for (number, address) in addresses.enumerated() {
            let place = DatabasePlace(number: number, count: addresses.count)
            let first = databases.first
            let database = try open(PostgreSQLJournal.name(of: address)) { () throws(JournalError) in
                try PostgreSQLJournal(address: address, options: options, place: place, after: first)
            }
            databases.append(database)
        }
        return databases.count == 1 ? databases[0] : PartitionedJournal(databases)
    }

    private static func open<Opened: Journal>(
        _ name: String,
        _ body: () throws(JournalError) -> Opened
    ) throws(OpeningFailure) -> Opened {
        do throws(JournalError) {
            return try body()
        } catch {
            throw OpeningFailure(name: name, error: error)
        }
    }

    /// A number of days; nil for 0, which means no limit.
    private static func days(_ count: Int) -> Duration? {
        count > 0 ? .seconds(count * 24 * 3600) : nil
    }
}
