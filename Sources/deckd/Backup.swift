import ArgumentParser
import DeckJournal
import DeckJournalSQLite
import Foundation

/// Copies the journal.
struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes a copy of the data into a new file. deckd can be running.",
        discussion: """
            The copy has every change that was answered before the command started. Only its owner can read it, because it \
            has the hashes of all tokens.
            """
    )

    @OptionGroup var options: DataOptions

    @Argument(help: "The file to write. It must not exist yet.")
    var file: String

    func run() throws {
        let source = try options.path()
        do {
            try SQLiteJournal.backup(of: source, to: file)
        } catch {
            try fail("\(error)", status: 1)
        }
    }
}

/// Puts a copy in the place of the journal.
struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Replaces the data with a copy that `deckd backup` wrote. deckd must not be running.",
        discussion: """
            Changes that were made after the copy are lost. Cursors of the feed and revisions continue above all that were \
            given out, so that clients notice the change and miss nothing that comes later.
            """
    )

    @OptionGroup var options: DataOptions

    @Argument(help: "The copy. It is not changed.")
    var file: String

    func run() throws {
        let target = try options.path()
        do {
            try SQLiteJournal.restore(file, to: target)
        } catch {
            try fail("\(error)", status: 1)
        }
    }
}

/// Where the data is.
struct DataOptions: ParsableArguments {
    @Option(help: "The file that stores decks and sessions.")
    var data: String?

    @Option(name: .customLong("config"), help: "The configuration file (YAML).")
    var configurationFile: String?

    /// The file of the journal, with its folder: a relative path in a configuration file depends on where the command is started,
    /// and messages must show that.
    func path() throws -> String {
        do {
            let settings = try Settings.values(data: data, file: configurationFile)
            switch DataPlace(settings.data) {
            case .file(let path) where path.hasPrefix("/"): return path
            case .file(let path): return "\(FileManager.default.currentDirectoryPath)/\(path)"
            case .memory: try fail("data in memory cannot be copied", status: 2)
            case .databases:
                try fail("a PostgreSQL database is copied with PostgreSQL's own tools, such as pg_dump", status: 2)
            }
        } catch let error as SettingsError {
            try fail(error.description, status: 2)
        }
    }
}
