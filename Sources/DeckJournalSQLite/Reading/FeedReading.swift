import DeckJournal
import GRDB

/// Reads the feed: the tables of verdicts and of notices, whose rows have places in one order.
struct FeedReading {
    private let db: Database
    private let filter: FeedFilter
    /// The numbers of the wanted sessions; nil: the filter names neither a session nor a user.
    private let sessions: [Int]?
    /// The verdicts of the wanted sessions that the index may not have.
    private let unindexed: [Int: [UnindexedVerdict]]
    private let newest: Int64

    /// Begins a snapshot of the file.
    init(_ filter: FeedFilter, unindexed verdicts: Unindexed<UnindexedVerdict>, in db: Database) throws {
        self.db = db
        self.filter = filter
        let needsSessions = filter.session != nil || filter.user != nil
        unindexed = try needsSessions ? verdicts.begin(in: db) : [:]
        sessions = try needsSessions ? Self.sessions(filter, db) : nil
        newest = Int64(try Tally(db).lastPosition)
    }

    private static func sessions(_ filter: FeedFilter, _ db: Database) throws -> [Int] {
        let conditions = [filter.session.map { ("id", $0) }, filter.user.map { ("userName", $0) }].compactMap(\.self)
        let sql = "SELECT number FROM session WHERE " + conditions.map { "\($0.0) = ?" }.joined(separator: " AND ")
        return try Int.fetchAll(db.cachedStatement(sql: sql), arguments: StatementArguments(conditions.map(\.1)))
    }

    func page(after cursor: DeckJournal.Cursor, upTo end: DeckJournal.Cursor?, limit: Int) throws -> VerdictPage {
        let last = end?.position ?? .max
        let entries = try places(after: cursor.position, upTo: last, limit: max(limit, 0)).map(entry)
        return VerdictPage(
            entries: entries,
            end: self.end(after: cursor, upTo: last, entries.last?.cursor.position, isFull: entries.count >= limit),
            newest: DeckJournal.Cursor(position: newest)
        )
    }

    /// Where the page with the same arguments ends.
    func end(after cursor: DeckJournal.Cursor, limit: Int) throws -> DeckJournal.Cursor {
        let places = try places(after: cursor.position, upTo: .max, limit: max(limit, 0))
        return end(after: cursor, upTo: .max, places.last?.position, isFull: places.count >= limit)
    }

    private func end(after cursor: DeckJournal.Cursor, upTo last: Int64, _ found: Int64?, isFull: Bool)
        -> DeckJournal.Cursor
    {
        if isFull { return found.map { DeckJournal.Cursor(position: $0) } ?? cursor }
        return DeckJournal.Cursor(position: max(cursor.position, min(last, newest)))
    }
}

// MARK: Places

extension FeedReading {
    private struct Place {
        var position: Int64
        var isNotice: Bool
    }

    /// The places of the wanted rows, in order.
    private func places(after first: Int64, upTo last: Int64, limit: Int) throws -> [Place] {
        guard limit > 0 else { return [] }
        let verdicts =
            try sessions.map { try verdictPlaces(of: $0, after: first, upTo: last, limit) }
            ?? tablePlaces(in: "verdict", areNotices: false, after: first, upTo: last, limit)
        let notices =
            try sessions.map { sessions in
                try sessions.flatMap { session in
                    try tablePlaces(of: session, in: "notice", areNotices: true, after: first, upTo: last, limit)
                }
            } ?? tablePlaces(in: "notice", areNotices: true, after: first, upTo: last, limit)
        guard !notices.isEmpty else { return verdicts }
        return Array((verdicts + notices).sorted { $0.position < $1.position }.prefix(limit))
    }

    /// Places of one of the two tables.
    ///
    /// - Parameter session: the number of the only wanted session; nil: those of all sessions are wanted.
    private func tablePlaces(
        of session: Int? = nil,
        in table: String,
        areNotices: Bool,
        after first: Int64,
        upTo last: Int64,
        _ limit: Int
    ) throws -> [Place] {
        let kinds = filter.kinds(areNotices: areNotices)
        guard !kinds.isEmpty else { return [] }
        var sql = "SELECT position FROM \(table) WHERE position > ? AND position <= ?"
        var arguments: StatementArguments = [first, last]
        if filter.kinds != nil { sql += " AND kind IN (\(kinds.map { "\($0.rawValue)" }.joined(separator: ", ")))" }
        if let deck = filter.deck {
            sql += " AND deck = ?"
            arguments += [deck]
        }
        if let session {
            sql += " AND session = ?"
            arguments += [session]
        }
        let statement = try db.cachedStatement(sql: sql + " ORDER BY position LIMIT ?")
        return try Int64.fetchAll(statement, arguments: arguments + [limit]).map {
            Place(position: $0, isNotice: areNotices)
        }
    }

    /// Places of verdicts of sessions. The index of the verdicts by session has each session's places together.
    private func verdictPlaces(of sessions: [Int], after first: Int64, upTo last: Int64, _ limit: Int) throws -> [Place]
    {
        let kinds = filter.kinds(areNotices: false)
        guard !kinds.isEmpty else { return [] }
        var positions: Set<Int64> = []
        for session in sessions {
            let sql = "SELECT position FROM session_verdict WHERE session = ? AND position > ? AND position <= ?"
            positions.formUnion(try Int64.fetchAll(db.cachedStatement(sql: sql), arguments: [session, first, last]))
            for row in unindexed[session] ?? [] where row.place > first && row.place <= last {
                positions.insert(Int64(row.place))
            }
        }
        var places: [Place] = []
        for position in positions.sorted() where places.count < limit {
            let sql = "SELECT kind, deck FROM verdict WHERE position = ?"
            // The snapshot may not have a row that is not in the index.
            guard let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [position]) else { continue }
            let (kind, deck) = (try row.integer(0), try row.textIfAny(1))
            guard kinds.contains(where: { $0.rawValue == kind }), filter.deck == nil || filter.deck == deck else {
                continue
            }
            places.append(Place(position: position, isNotice: false))
        }
        return places
    }
}

// MARK: Rows

extension FeedReading {
    private static let verdict = """
        SELECT \(VerdictRecord.columns), verdict.position, verdict.deck, session.id, verdict.at, session.userName
        FROM verdict JOIN session ON session.number = verdict.session WHERE verdict.position = ?
        """
    private static let notice = """
        SELECT 0, atMilliseconds, 0, x'', '', kind, notice.position, notice.deck, session.id, notice.at, session.userName
        FROM notice JOIN session ON session.number = notice.session WHERE notice.position = ?
        """

    private func entry(at place: Place) throws -> VerdictEntry {
        let statement = try db.cachedStatement(sql: place.isNotice ? Self.notice : Self.verdict)
        guard let row = try Row.fetchOne(statement, arguments: [place.position]) else {
            throw JournalError.damaged("a row of the feed has no session")
        }
        return try VerdictEntry(row)
    }
}

extension VerdictEntry {
    fileprivate init(_ row: Row) throws {
        self.init(
            cursor: DeckJournal.Cursor(position: Int64(try row.integer(6))),
            session: try row.text(8),
            deck: try row.textIfAny(7),
            user: try row.textIfAny(10),
            savedAt: try row.time(9),
            verdict: try VerdictRecord(row, from: 0)
        )
    }
}
