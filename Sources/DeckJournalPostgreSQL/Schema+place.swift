import DeckJournal

/// What the databases of a journal have in common.
struct JournalIdentity: Sendable {
    /// A random id.
    var id: String
    /// Whether nothing had been written when its first database was opened.
    var isNew: Bool
}

extension Schema {
    /// Makes sure that the database has its place among those of the journal. An empty one that has none takes it, once: the same
    /// database cannot have two places.
    ///
    /// - Parameter journal: that of the first database; nil: this is the first.
    static func take(_ place: DatabasePlace, of journal: JournalIdentity?, _ connection: Connection) throws {
        guard try connection.run("SELECT source FROM transfer").first == nil else {
            throw JournalError.unavailable("another journal is being copied into it; end that with deckd import")
        }
        let (former, id) = (try self.place(connection), try id(connection))
        let tally = try Tally(connection.run([Tally.reading])[0])
        let isEmpty = tally.lastSession == 0 && tally.lastDeckRevision == 0
        guard former == place || former == .only && isEmpty else {
            throw JournalError.unavailable("it is \(former) of the journal's databases, not \(place)")
        }
        if former == place, let id, id == journal?.id ?? id { return }
        if let journal {
            // Formats before 7 had no id.
            let hasPlaceWithoutId = former == place && id == nil
            guard journal.isNew ? isEmpty : hasPlaceWithoutId else {
                let reason = isEmpty ? "it is empty, and the first database is not" : "it has data of another journal"
                throw JournalError.unavailable("\(reason); correct the names of the databases")
            }
        }
        try connection.run(
            "UPDATE meta SET database_number = $1, database_count = $2, journal = $3",
            [.integer(place.number), .integer(place.count), .text(journal?.id ?? newId())]
        )
    }

    private static func newId() -> String {
        (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    }

    /// The place of the database among those of its journal.
    static func place(_ connection: Connection) throws -> DatabasePlace {
        let reading = "SELECT database_number, database_count FROM meta"
        guard let row = try connection.run(reading).first else { throw JournalError.damaged("the format is missing") }
        return DatabasePlace(number: try row.integer(0), count: try row.integer(1))
    }

    /// The id of the database's journal; nil: the database has not been taken into one.
    private static func id(_ connection: Connection) throws -> String? {
        try connection.run("SELECT journal FROM meta").first?.textIfAny(0)
    }

    /// The journal of a database that has its place.
    static func journal(_ connection: Connection, _ tally: Tally) throws -> JournalIdentity {
        guard let id = try id(connection) else { throw JournalError.damaged("the id of the journal is missing") }
        return JournalIdentity(id: id, isNew: tally.writes == 0)
    }

    /// The channel on which the nodes that use the schema talk. A role that cannot read `meta` cannot guess its name, so it can neither
    /// listen nor notify. The schema is a part of it, because a copy of a schema has the same secret. It is hashed because a channel's
    /// name may not be longer than a schema's.
    static func channel(_ connection: Connection) throws -> String {
        let rows = try connection.run("SELECT 'deckd_' || md5(current_schema() || secret) FROM meta")
        guard let name = try rows.first?.text(0) else { throw JournalError.damaged("the format is missing") }
        return name
    }
}
