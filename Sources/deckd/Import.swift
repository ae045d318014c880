import ArgumentParser
import DeckJournal
import DeckJournalPostgreSQL
import DeckJournalSQLite

/// Copies a journal into another kind of database.
struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies the data of a file into a PostgreSQL database, or the reverse. No server may use either.",
        discussion: """
            The target must be empty. To continue a copy that was interrupted, run the command again. Cursors \
            of the feed that clients have remain valid. Revisions continue above all that were given out, so that clients \
            notice the change and miss nothing that comes later.
            """
    )

    @Option(help: "The data to copy: a file, or the address of a database.")
    var from: String

    @Option(help: "Where to copy it: a file that does not exist, or the address of a database.")
    var to: String

    func validate() throws {
        do throws(SettingsError) {
            try DataPlace.check(from, of: "--from")
            try DataPlace.check(to, of: "--to")
        } catch {
            try fail("\(error)", status: 2)
        }
    }

    func run() throws {
        let (sourceName, targetName) = (try name(from), try name(to))
        let source = try open(sourceName) { () throws(JournalError) -> any TransferSource in
            switch DataPlace(from) {
            case .databases(let addresses): try PostgreSQLSource(address: addresses[0])
            default: try SQLiteSource(path: from)
            }
        }
        let target = try open(targetName) { () throws(JournalError) -> any TransferTarget in
            switch DataPlace(to) {
            case .databases(let addresses): try PostgreSQLTarget(address: addresses[0])
            default: try SQLiteTarget(path: to)
            }
        }
        let bar = ProgressBar()
        let count = try attempt("\(sourceName) to \(targetName)") { () throws(JournalError) in
            defer { bar.end() }
            let count = try Transfer(from: source, to: target).run(from: sourceName) { progress in
                bar.show(progress.presentRows, of: progress.rows, "\(progress.table.rawValue)")
            }
            try source.close()
            return count
        }
        print("Copied \(count) rows from \(sourceName) to \(targetName).")
    }

    /// The name of a place as it may be shown.
    private func name(_ place: String) throws -> String {
        switch DataPlace(place) {
        case .memory: try fail("data in memory cannot be copied", status: 2)
        case .databases(let addresses) where addresses.count > 1:
            try fail("a journal of several databases cannot be copied", status: 2)
        case .databases(let addresses): PostgreSQLJournal.name(of: addresses[0])
        case .file(let path): path
        }
    }

    /// Opens the data with a name, and says so if that takes long.
    private func open<Value>(_ name: String, _ body: () throws(JournalError) -> Value) throws -> Value {
        try attempt(name) { () throws(JournalError) in
            try SlowOpening.run(reporting: { StandardError.write("\(name): \($0)\n") }, body)
        }
    }

    private func attempt<Value>(_ name: String, _ body: () throws(JournalError) -> Value) throws -> Value {
        do throws(JournalError) {
            return try body()
        } catch {
            try fail("\(name): \(error)", status: 1)
        }
    }
}
