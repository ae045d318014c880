import DeckJournal
import Glibc

/// The tables. They are in the first schema of the connection's search path, which is `deckd` unless the address says
/// otherwise.
enum Schema {
    /// The format that this version creates and migrates to.
    static var format: Int { migrations.count }

    /// Creates the tables if there are none, and migrates those of an earlier format. Nodes that start together wait for each
    /// other.
    ///
    /// - Parameter place: the place that the database must have among those of the journal; nil: any.
    static func prepare(_ connection: Connection, _ place: DatabasePlace?) throws {
        // Another node may be migrating a large schema.
        try connection.run("SELECT pg_advisory_lock(\(lockNumber))", within: longestMigration)
        defer { _ = try? connection.run("SELECT pg_advisory_unlock(\(lockNumber))") }
        try checkEncoding(connection)
        try makeSchema(connection)
        let former = try formerFormat(connection)
        if place != nil, try connection.run("SHOW transaction_read_only").first?.text(0) == "on" {
            let advice = "target_session_attrs=read-write finds the primary"
            throw JournalError.unavailable("the session is read-only; \(advice)")
        }
        for step in migrations.dropFirst(former) { try migrate(step, connection) }
        if let place { try take(place, connection) }
    }

    /// Refuses a database that cannot store all characters: users and metadata can have any.
    private static func checkEncoding(_ connection: Connection) throws {
        let encoding = try connection.run("SHOW server_encoding").first?.text(0) ?? ""
        // SQL_ASCII stores the bytes of UTF-8 as they are.
        guard !["UTF8", "SQL_ASCII"].contains(encoding) else { return }
        let advice = "create one with ENCODING 'UTF8' TEMPLATE template0"
        throw JournalError.unavailable("the database has the encoding \(encoding); \(advice)")
    }

    /// Runs a step of a migration when no other transaction uses its tables, such as that of a dump. A statement that waits for a
    /// lock makes all later ones wait, also those of other nodes. So it waits for half a second only, and is tried again after a pause.
    private static func migrate(_ step: [String], _ connection: Connection) throws {
        let statements = ["BEGIN", "SET LOCAL lock_timeout = '500ms'"] + step + ["COMMIT"]
        let end = ContinuousClock.now + longestMigration
        while true {
            do {
                _ = try connection.run(statements.map { Statement($0, isRepeated: false) }, within: end - .now)
                return
            } catch let failure as DatabaseFailure where failure.isOfLock && .now < end {
                try connection.run("ROLLBACK")
                sleep(pauseSeconds)
            }
        }
    }

    /// The longest duration of a migration, with its waits for other transactions.
    private static let longestMigration = Duration.seconds(3600)
    /// The pause between two attempts, in which other transactions can continue.
    private static let pauseSeconds: UInt32 = 2

    /// Whether there are tables.
    static func exists(_ connection: Connection) throws -> Bool {
        try connection.run("SELECT to_regclass('meta')").first?.textIfAny(0) != nil
    }

    private static func makeSchema(_ connection: Connection) throws {
        let missing = """
            SELECT quote_ident(trim(both ' "' from split_part(current_setting('search_path'), ',', 1)))
            WHERE current_schema() IS NULL
            """
        if let name = try connection.run(missing).first?.text(0) { try connection.run("CREATE SCHEMA \(name)") }
    }

    /// The format of the tables; 0: there are none.
    private static func formerFormat(_ connection: Connection) throws -> Int {
        guard try exists(connection) else { return 0 }
        guard let row = try connection.run("SELECT format::bigint, usable_by::bigint FROM meta").first else {
            throw JournalError.damaged("the format is missing")
        }
        // A later version can add what it needs and declare that this one can still use the tables. Nodes can then be
        // upgraded one by one.
        guard try row.integer(1) <= format else { throw JournalError.unsupportedFormat(version: try row.integer(0)) }
        return try row.integer(0)
    }

    /// Makes sure that the database has its place among those of the journal. An empty one that has none takes it, once: the same
    /// database cannot have two places.
    private static func take(_ place: DatabasePlace, _ connection: Connection) throws {
        guard try connection.run("SELECT source FROM transfer").first == nil else {
            throw JournalError.unavailable("another journal is being copied into it; end that with deckd import")
        }
        let former = try self.place(connection)
        guard former != place else { return }
        let tally = try Tally(connection.run([Tally.reading])[0])
        guard former == .only, tally.lastSession == 0, tally.lastDeckRevision == 0 else {
            throw JournalError.unavailable("it is \(former) of the journal's databases, not \(place)")
        }
        try connection.run(
            "UPDATE meta SET database_number = $1, database_count = $2",
            [.integer(place.number), .integer(place.count)]
        )
    }

    /// The place of the database among those of its journal.
    static func place(_ connection: Connection) throws -> DatabasePlace {
        let reading = "SELECT database_number, database_count FROM meta"
        guard let row = try connection.run(reading).first else { throw JournalError.damaged("the format is missing") }
        return DatabasePlace(number: try row.integer(0), count: try row.integer(1))
    }

    /// The channel on which the nodes that use the schema talk. Its name is hashed because a channel's may not be longer than a
    /// schema's.
    static func channel(_ connection: Connection) throws -> String {
        let rows = try connection.run("SELECT 'deckd_' || md5(current_schema())")
        guard let name = try rows.first?.text(0) else { throw JournalError.damaged("the schema is missing") }
        return name
    }

    /// "deck" in ASCII.
    private static let lockNumber = 0x6465_636B
}
