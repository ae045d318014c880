import DeckJournal

/// Reads the standing verdicts of a session, including the verdicts that a fork shares with its origin.
struct VerdictReading {
    /// What a verdict is read from.
    static let columns = "number, at_milliseconds, card_index, card_id, direction, kind"
    /// How many shared verdicts are looked up together.
    private static let sharedAtATime = 500

    /// What a fork shares with the session that it was copied from.
    private struct Origin {
        var session: Int
        /// The last place in the feed at the time of the copy.
        var position: Int
    }

    let connection: Connection

    func standing(of id: String, after number: Int, limit: Int) throws -> StandingPage {
        let sql = """
            SELECT number, origin_verdicts FROM session JOIN head ON head.session = number WHERE id = $1 AND has_ended = 0
            """
        guard limit > 0, number < .max, let row = try connection.run(sql, [.text(id)]).first else { return .end }
        let session = try row.integer(0)
        let numbers = StandingPage.numbers(after: number)
        let shared = try Ranges.decode(row.bytesIfAny(1) ?? [])
        let own = try standing(of: session, in: numbers, limit: limit)
        let given = try sharedVerdicts(of: session, shared.within(numbers), limit: limit)
        return try StandingPage(
            first: limit,
            of: own + given,
            following: [
                firstNumber(of: session, after: numbers.upperBound),
                shared.first(above: numbers.upperBound),
            ]
        )
    }

    /// The first number of a session after another; nil: there is none.
    private func firstNumber(of session: Int, after number: Int) throws -> Int? {
        let sql = "SELECT min(number) FROM verdict WHERE session = $1 AND number > $2"
        return try connection.run(sql, [.integer(session), .integer(number)]).first?.integerIfAny(0)
    }

    /// A verdict counts if it was given and the session has nothing later with its number.
    private func standing(of session: Int, in numbers: ClosedRange<Int>, limit: Int) throws -> [FeedRecord] {
        let sql = """
            SELECT \(Self.columns) FROM (
                SELECT DISTINCT ON (number) \(Self.columns) FROM verdict WHERE session = $1 AND number BETWEEN $2 AND $3
                ORDER BY number, position DESC
            ) AS latest WHERE kind = 0 ORDER BY number LIMIT $4
            """
        let bounds: [Value] = [.integer(numbers.lowerBound), .integer(numbers.upperBound)]
        return try connection.run(sql, [.integer(session)] + bounds + [.integer(limit)]).rows.map {
            try FeedRecord($0)
        }
    }

    private func origin(of session: Int) throws -> Origin? {
        let sql = "SELECT origin, origin_position FROM session WHERE number = $1"
        guard let row = try connection.run(sql, [.integer(session)]).first, let origin = try row.integerIfAny(0) else {
            return nil
        }
        return Origin(session: origin, position: try row.integer(1))
    }

    /// The shared verdicts of which the fork itself has no row: neither reverted nor given again.
    ///
    /// - Parameter shared: the numbers of shared verdicts.
    private func sharedVerdicts(of fork: Int, _ shared: [ClosedRange<Int>], limit: Int) throws -> [FeedRecord] {
        var found: [FeedRecord] = []
        var numbers = shared
        while !numbers.isEmpty, found.count < limit {
            let part = numbers.removeFirst(Self.sharedAtATime).flatMap { Array($0) }
            let sql = "SELECT DISTINCT number FROM verdict WHERE session = $1 AND number = ANY($2::bigint[])"
            let own = Set(try connection.run(sql, [.integer(fork), .integers(part)]).rows.map { try $0.integer(0) })
            found += try given(part.filter { !own.contains($0) }, to: fork)
        }
        return found
    }

    /// The verdicts with these numbers that a fork shares: each is the last one that an origin, or an origin of it, had given when
    /// the copy was made.
    private func given(_ numbers: [Int], to fork: Int) throws -> [FeedRecord] {
        var found: [FeedRecord] = []
        var missing = numbers
        var next = missing.isEmpty ? nil : try origin(of: fork)
        while let origin = next {
            let sql = """
                SELECT DISTINCT ON (number) \(Self.columns) FROM verdict
                WHERE session = $1 AND number = ANY($2::bigint[]) AND position <= $3 AND kind = 0
                ORDER BY number, position DESC
                """
            let values: [Value] = [.integer(origin.session), .integers(missing), .integer(origin.position)]
            let records = try connection.run(sql, values).rows.map { try FeedRecord($0) }
            found += records
            let foundNumbers = Set(records.map(\.number))
            missing.removeAll { foundNumbers.contains($0) }
            next = missing.isEmpty ? nil : try self.origin(of: origin.session)
        }
        return found
    }
}

extension FeedRecord {
    /// - Parameter row: begins with the columns of ``VerdictReading``.
    init(_ row: Row) throws(JournalError) {
        guard let kind = Kind(rawValue: try row.integer(5)) else {
            throw .damaged("a feed record is of an unknown kind")
        }
        self.init(
            number: try row.integer(0),
            atMilliseconds: try row.real(1),
            cardIndex: try row.integer(2),
            cardID: try row.text(3),
            direction: try row.text(4),
            kind: kind
        )
    }
}
