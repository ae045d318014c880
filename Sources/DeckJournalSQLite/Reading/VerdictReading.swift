import DeckJournal

/// Reads the standing verdicts of a session, including the verdicts that a fork shares with its origin.
struct VerdictReading {
    /// How many shared verdicts are looked up together.
    private static let sharedAtATime = 500

    private struct Origin {
        var session: Int
        var numbers: [ClosedRange<Int>]
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
        newest = try Tally(db).lastPosition
    }

    /// The rows of a session that the index may not have, without those that are being committed.
    private func unindexed(of session: Int) -> [UnindexedVerdict] {
        (unindexed[session] ?? []).filter { $0.place <= newest }
    }

    func standing(of id: String, after number: Int, limit: Int) throws -> StandingPage {
        let sql = "SELECT number FROM session WHERE id = ? AND hasEnded = 0"
        guard limit > 0, number < .max, let session = try db.integer(sql, [.text(id)]) else { return .end }
        let numbers = StandingPage.numbers(after: number)
        let own = try standing(of: session, in: numbers, limit: limit)
        let origin = try origin(of: session)
        let shared = try origin.map { try sharedVerdicts(of: session, $0, in: numbers, limit: limit) } ?? []
        return StandingPage(
            first: limit,
            of: own + shared,
            following: [
                try firstNumber(of: session, after: numbers.upperBound),
                origin?.numbers.above(numbers.upperBound).first?.lowerBound,
            ]
        )
    }

    /// The first number of a session after another; nil: there is none.
    private func firstNumber(of session: Int, after number: Int) throws -> Int? {
        let sql = "SELECT MIN(number) FROM session_verdict WHERE session = ? AND number > ?"
        let indexed = try db.integer(sql, [.integer(session), .integer(number)])
        let others = unindexed(of: session).lazy.map(\.number).filter { $0 > number }
        return [indexed, others.min()].compactMap(\.self).min()
    }

    /// A verdict counts if it was given and the session has nothing later with its number.
    private func standing(of session: Int, in numbers: ClosedRange<Int>, limit: Int) throws -> [VerdictRecord] {
        var rows = try rows(of: session, in: numbers)
        var found: [VerdictRecord] = []
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

    private func rows(of session: Int, in numbers: ClosedRange<Int>) throws -> SessionVerdicts {
        try SessionVerdicts(of: session, in: numbers, unindexed: unindexed(of: session), db)
    }

    /// The row at a place in the feed; nil if the snapshot does not have it.
    private func record(at position: Int) throws -> VerdictRecord? {
        let sql = """
            SELECT \(VerdictRecord.columns) FROM verdict WHERE position = ?
            """
        let row = try db.row(sql, [.integer(position)])
        return try row.map { try VerdictRecord($0, from: 0) }
    }

    private func origin(of session: Int) throws -> Origin? {
        let sql = "SELECT origin, originVerdicts, originPosition FROM session WHERE number = ?"
        guard let row = try db.row(sql, [.integer(session)]),
            let origin = try row.integerIfAny(0)
        else { return nil }
        let numbers = try Ranges.decode(try row.bytesIfAny(1) ?? [])
        return Origin(session: origin, numbers: numbers, position: try row.integer(2))
    }

    /// The shared verdicts of which the fork itself has no row: neither reverted nor given again.
    private func sharedVerdicts(
        of fork: Int,
        _ origin: Origin,
        in covered: ClosedRange<Int>,
        limit: Int
    ) throws -> [VerdictRecord] {
        var found: [VerdictRecord] = []
        var numbers = origin.numbers.within(covered)
        while !numbers.isEmpty, found.count < limit {
            let part = numbers.removeFirst(Self.sharedAtATime)
            let own = try ownNumbers(of: fork, within: part)
            let wanted = part.flatMap { $0.filter { !own.contains($0) } }
            found += try given(wanted, by: origin)
        }
        return found
    }

    private func ownNumbers(of session: Int, within ranges: [ClosedRange<Int>]) throws -> Set<Int> {
        var numbers: Set<Int> = []
        for range in ranges {
            var rows = try rows(of: session, in: range)
            while let row = try rows.next() { numbers.insert(row.number) }
        }
        return numbers
    }

    /// The verdicts that a session or one of its origins gave last under these numbers, up to a place in the feed.
    private func given(_ numbers: [Int], by origin: Origin) throws -> [VerdictRecord] {
        var found: [VerdictRecord] = []
        var next: Origin? = origin
        var missing = numbers
        while let current = next, !missing.isEmpty {
            var others: [Int] = []
            for number in missing {
                guard let record = try lastGiven(number, by: current) else {
                    others.append(number)
                    continue
                }
                found.append(record)
            }
            next = try self.origin(of: current.session)
            missing = others.filter { number in next?.numbers.contains { $0.contains(number) } ?? false }
        }
        return found
    }

    private func lastGiven(_ number: Int, by origin: Origin) throws -> VerdictRecord? {
        let sql = "SELECT position FROM session_verdict WHERE session = ? AND number = ?"
        let indexed = try db.integers(sql, [.integer(origin.session), .integer(number)])
        let others = unindexed(of: origin.session).filter { $0.number == number }.map(\.place)
        for position in Set(indexed + others).sorted(by: >) where position <= origin.position {
            if let record = try record(at: position), record.kind == .given { return record }
        }
        return nil
    }
}

/// The rows of a session in the feed, in the order of their numbers: those of the index, and those that it may not have.
private struct SessionVerdicts {
    private let indexed: Rows
    private var nextIndexed: UnindexedVerdict?
    private var unindexed: ArraySlice<UnindexedVerdict>

    init(of session: Int, in numbers: ClosedRange<Int>, unindexed: [UnindexedVerdict], _ db: Connection) throws {
        let sql = """
            SELECT number, position FROM session_verdict WHERE session = ? AND number BETWEEN ? AND ?
            ORDER BY number, position
            """
        let bounds: [SQLValue] = [.integer(numbers.lowerBound), .integer(numbers.upperBound)]
        indexed = try db.lazyRows(sql, [.integer(session)] + bounds)
        self.unindexed = unindexed.filter { numbers.contains($0.number) }.sorted()[...]
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

extension VerdictRecord {
    /// The columns that a verdict is made from. A card's id can have a NUL, at which SQLite's functions for text end.
    static let columns = """
        verdict.number, atMilliseconds, cardIndex, CAST(cardID AS BLOB), direction, kind
        """

    /// - Parameter column: the first of ``columns``.
    init(_ row: Row, from column: Int) throws {
        guard let kind = Kind(rawValue: try row.integer(column + 5)) else {
            throw JournalError.damaged("a verdict is neither given nor reverted")
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
