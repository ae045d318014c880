import DeckJournal

/// Reads the standing verdicts of a session, including the verdicts that a fork shares with its origin.
struct VerdictReading {
    /// How many shared verdicts are looked up together.
    private static let sharedAtATime = 500

    /// What a fork shares with the session that it was copied from.
    private struct Origin {
        var session: Int
        /// The last place in the feed at the time of the copy.
        var position: Int
    }

    private let db: Connection
    /// The rows that the index may not have.
    private let unindexed: Unindexed<UnindexedVerdict>.Rows
    /// The last place in the snapshot.
    private let newest: Int

    /// - Parameter unindexed: the rows as the snapshot began.
    init(_ db: Connection, unindexed: Unindexed<UnindexedVerdict>.Rows) throws {
        self.db = db
        self.unindexed = unindexed
        newest = try Tally(db).lastFeedPosition
    }

    /// The rows of a session that the index may not have, by their numbers, without those that are being committed.
    private func unindexed(of session: Int) -> [UnindexedVerdict] {
        (unindexed[session] ?? []).filter { $0.place <= newest }.sorted()
    }

    func standing(of id: String, after number: Int, limit: Int) throws -> StandingPage {
        let sql = "SELECT number, originVerdicts FROM session WHERE id = ? AND hasEnded = 0"
        guard limit > 0, number < .max, let row = try db.row(sql, [.text(id)]) else { return .end }
        let session = try row.integer(0)
        let numbers = StandingPage.numbers(after: number)
        let shared = try Ranges.decode(try row.bytesIfAny(1) ?? [])
        let waiting = unindexed(of: session)
        let own = try standing(of: session, in: numbers, waiting, limit: limit)
        let given = try sharedVerdicts(of: session, shared.within(numbers), waiting, limit: limit)
        return try StandingPage(
            first: limit,
            of: own + given,
            following: [
                firstNumber(of: session, after: numbers.upperBound, waiting),
                shared.first(above: numbers.upperBound),
            ]
        )
    }

    /// The first number of a session after another; nil: there is none.
    ///
    /// - Parameter waiting: the rows that the index may not have.
    private func firstNumber(of session: Int, after number: Int, _ waiting: [UnindexedVerdict]) throws -> Int? {
        let sql = "SELECT MIN(number) FROM session_verdict WHERE session = ? AND number > ?"
        let indexed = try db.integer(sql, [.integer(session), .integer(number)])
        return [indexed, waiting.first { $0.number > number }?.number].compactMap(\.self).min()
    }

    /// A verdict counts if it was given and the session has nothing later with its number.
    private func standing(
        of session: Int,
        in numbers: ClosedRange<Int>,
        _ waiting: [UnindexedVerdict],
        limit: Int
    ) throws -> [FeedRecord] {
        var rows = try SessionVerdicts(of: session, in: numbers, waiting, db)
        var found: [FeedRecord] = []
        var next = try rows.next()
        while var last = next, found.count < limit {
            next = try rows.next()
            while let later = next, later.number == last.number {
                last = later
                next = try rows.next()
            }
            if let record = try record(at: last.place), record.kind == .given { found.append(record) }
        }
        return found
    }

    /// The row at a place in the feed; nil if the snapshot does not have it.
    private func record(at position: Int) throws -> FeedRecord? {
        let sql = """
            SELECT \(FeedRecord.columns) FROM verdict WHERE position = ?
            """
        let row = try db.row(sql, [.integer(position)])
        return try row.map { try FeedRecord($0, from: 0) }
    }

    private func origin(of session: Int) throws -> Origin? {
        let sql = "SELECT origin, originPosition FROM session WHERE number = ?"
        guard let row = try db.row(sql, [.integer(session)]), let origin = try row.integerIfAny(0) else { return nil }
        return Origin(session: origin, position: try row.integer(1))
    }

    /// The shared verdicts of which the fork itself has no row: neither reverted nor given again.
    ///
    /// - Parameters:
    ///   - shared: the numbers of shared verdicts.
    ///   - waiting: the rows of the fork that the index may not have.
    private func sharedVerdicts(
        of fork: Int,
        _ shared: [ClosedRange<Int>],
        _ waiting: [UnindexedVerdict],
        limit: Int
    ) throws -> [FeedRecord] {
        var found: [FeedRecord] = []
        var numbers = shared
        while !numbers.isEmpty, found.count < limit {
            let part = numbers.removeFirst(Self.sharedAtATime).flatMap { Array($0) }
            let own = try ownNumbers(of: fork, in: part[0]...part[part.count - 1], waiting)
            found += try given(part.filter { !own.contains($0) }, to: fork)
        }
        return found
    }

    private func ownNumbers(
        of session: Int,
        in range: ClosedRange<Int>,
        _ waiting: [UnindexedVerdict]
    ) throws -> Set<Int> {
        var numbers: Set<Int> = []
        var rows = try SessionVerdicts(of: session, in: range, waiting, db)
        while let row = try rows.next() { numbers.insert(row.number) }
        return numbers
    }

    /// The verdicts with these numbers that a fork shares: each is the last one that an origin, or an origin of it, had given when
    /// the copy was made. A copy of a copy is read as fast as their rows, and a query for each copy in between.
    private func given(_ numbers: [Int], to fork: Int) throws -> [FeedRecord] {
        var found: [FeedRecord] = []
        var missing = Set(numbers)
        var next = missing.isEmpty ? nil : try origin(of: fork)
        while let origin = next, let first = missing.min(), let last = missing.max() {
            var places: [Int: [Int]] = [:]
            var rows = try SessionVerdicts(of: origin.session, in: first...last, unindexed(of: origin.session), db)
            while let row = try rows.next() {
                guard row.place <= origin.position, missing.contains(row.number) else { continue }
                places[row.number, default: []].append(row.place)
            }
            for (number, places) in places {
                guard let record = try lastGiven(at: places) else { continue }
                found.append(record)
                missing.remove(number)
            }
            next = try self.origin(of: origin.session)
        }
        return found
    }

    /// The last verdict that was given at one of these places, which ascend.
    private func lastGiven(at places: [Int]) throws -> FeedRecord? {
        for place in places.reversed() {
            if let record = try record(at: place), record.kind == .given { return record }
        }
        return nil
    }
}

/// The rows of a session in the feed, in the order of their numbers: those of the index, and those that it may not have.
private struct SessionVerdicts {
    private let indexed: Rows
    private var nextIndexed: UnindexedVerdict?
    private var unindexed: ArraySlice<UnindexedVerdict>

    /// - Parameter unindexed: those that the index may not have, by their numbers.
    init(of session: Int, in numbers: ClosedRange<Int>, _ unindexed: [UnindexedVerdict], _ db: Connection) throws {
        let sql = """
            SELECT number, position FROM session_verdict WHERE session = ? AND number BETWEEN ? AND ?
            ORDER BY number, position
            """
        let bounds: [SQLValue] = [.integer(numbers.lowerBound), .integer(numbers.upperBound)]
        indexed = try db.lazyRows(sql, [.integer(session)] + bounds)
        self.unindexed = unindexed.filter { numbers.contains($0.number) }[...]
        try step()
    }

    private mutating func step() throws {
        nextIndexed = try indexed.next().map { row in
            UnindexedVerdict(number: try row.integer(0), place: try row.integer(1))
        }
    }

    /// The next row. One that is in both lists is returned once.
    mutating func next() throws -> UnindexedVerdict? {
        guard let indexed = nextIndexed else { return unindexed.popFirst() }
        guard let first = unindexed.first, first <= indexed else {
            try step()
            return indexed
        }
        unindexed.removeFirst()
        if first == indexed { try step() }
        return first
    }
}

extension FeedRecord {
    /// The columns that a verdict is made from. A card's id can have a NUL, at which SQLite's functions for text end.
    static let columns = """
        verdict.number, atMilliseconds, cardIndex, CAST(cardID AS BLOB), direction, kind
        """

    /// - Parameter column: the first of ``columns``.
    init(_ row: Row, from column: Int) throws {
        guard let kind = Kind(rawValue: try row.integer(column + 5)) else {
            throw JournalError.damaged("a feed record is of an unknown kind")
        }
        self.init(
            number: try row.integer(column),
            atMilliseconds: try row.number(column + 1),
            cardIndex: try row.integer(column + 2),
            cardID: String(decoding: try row.bytes(column + 3), as: UTF8.self),
            direction: try row.text(column + 4),
            kind: kind
        )
    }
}
