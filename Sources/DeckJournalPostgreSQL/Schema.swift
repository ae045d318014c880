import DeckJournal
import Glibc

/// The tables. They are in the schema of the connection, which is `deckd` unless the address has another one.
enum Schema {
    /// The format that this version creates and migrates to.
    static var format: Int { migrations.count }

    /// Creates the tables if there are none, and migrates those of an earlier format. Nodes that start together wait for each
    /// other.
    ///
    /// - Parameters:
    ///   - place: the place that the database must have among those of the journal; nil: any.
    ///   - journal: the journal that it must be of; nil: any.
    static func prepare(
        _ connection: Connection,
        _ place: DatabasePlace?,
        of journal: JournalIdentity? = nil
    ) throws {
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
        if let place { try take(place, of: journal, connection) }
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
        let missing = "SELECT current_setting('search_path') WHERE current_schema() IS NULL"
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

    /// "deck" in ASCII.
    private static let lockNumber = 0x6465_636B
}
