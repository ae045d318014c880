import DeckJournal
import GRDB

/// Reads the standing verdicts of a session, including the verdicts that a fork shares with its origin.
enum VerdictReading {
    /// How many shared verdicts are looked up together.
    private static let sharedAtATime = 500

    private struct Origin {
        var session: Int
        var numbers: [ClosedRange<Int>]
        var position: Int
    }

    static func standing(of id: String, after number: Int, limit: Int, in db: Database) throws -> [VerdictRecord] {
        let sql = "SELECT number FROM session WHERE id = ? AND hasEnded = 0"
        guard limit > 0, number < .max, let session = try Int.fetchOne(db.cachedStatement(sql: sql), arguments: [id])
        else { return [] }
        let own = try standing(of: session, after: number, limit: limit, in: db)
        guard let origin = try origin(of: session, in: db) else { return own }
        let shared = try sharedVerdicts(of: session, origin, after: number, limit: limit, in: db)
        return Array((own + shared).sorted { $0.number < $1.number }.prefix(limit))
    }

    /// A verdict stands if it was given and the session has nothing later with its number.
    private static func standing(
        of session: Int,
        after number: Int,
        limit: Int,
        in db: Database
    ) throws -> [VerdictRecord] {
        let sql = """
            SELECT number, atMilliseconds, cardIndex, cardID, direction, kind FROM verdict
            WHERE session = ? AND number > ? AND kind = ?
                AND NOT EXISTS (
                    SELECT 1 FROM verdict AS later
                    WHERE later.session = verdict.session AND later.number = verdict.number
                        AND later.position > verdict.position
                )
            ORDER BY number LIMIT ?
            """
        let given = VerdictRecord.Kind.given.rawValue
        return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [session, number, given, limit]).map {
            try VerdictRecord($0, from: 0)
        }
    }

    private static func origin(of session: Int, in db: Database) throws -> Origin? {
        let sql = "SELECT origin, originVerdicts, originPosition FROM session WHERE number = ?"
        guard let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [session]),
            let origin = try row.integerIfAny(0)
        else { return nil }
        let numbers = try Ranges.decode(try row.bytesIfAny(1) ?? [])
        return Origin(session: origin, numbers: numbers, position: try row.integer(2))
    }

    /// The shared verdicts of which the fork itself has no row: neither reverted nor given again.
    private static func sharedVerdicts(
        of fork: Int,
        _ origin: Origin,
        after number: Int,
        limit: Int,
        in db: Database
    ) throws -> [VerdictRecord] {
        var found: [VerdictRecord] = []
        var numbers = origin.numbers.above(number)
        while !numbers.isEmpty, found.count < limit {
            let part = numbers.removeFirst(Self.sharedAtATime)
            let own = try ownNumbers(of: fork, within: part, in: db)
            let wanted = part.flatMap { $0.filter { !own.contains($0) } }
            found += try given(wanted, by: origin, in: db)
        }
        return found
    }

    private static func ownNumbers(
        of session: Int,
        within ranges: [ClosedRange<Int>],
        in db: Database
    ) throws -> Set<Int> {
        let sql = "SELECT DISTINCT number FROM verdict WHERE session = ? AND number BETWEEN ? AND ?"
        var numbers: Set<Int> = []
        for range in ranges {
            let arguments: StatementArguments = [session, range.lowerBound, range.upperBound]
            numbers.formUnion(try Int.fetchAll(db.cachedStatement(sql: sql), arguments: arguments))
        }
        return numbers
    }

    /// The verdicts that a session or one of its origins gave last under these numbers, up to a place in the feed.
    private static func given(_ numbers: [Int], by origin: Origin, in db: Database) throws -> [VerdictRecord] {
        let sql = """
            SELECT number, atMilliseconds, cardIndex, cardID, direction, kind FROM verdict
            WHERE session = ? AND number = ? AND kind = ? AND position <= ? ORDER BY position DESC LIMIT 1
            """
        var found: [VerdictRecord] = []
        var next: Origin? = origin
        var missing = numbers
        while let current = next, !missing.isEmpty {
            var others: [Int] = []
            for number in missing {
                let kind = VerdictRecord.Kind.given.rawValue
                let arguments: StatementArguments = [current.session, number, kind, current.position]
                if let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: arguments) {
                    found.append(try VerdictRecord(row, from: 0))
                } else {
                    others.append(number)
                }
            }
            next = try self.origin(of: current.session, in: db)
            missing = others.filter { number in next?.numbers.contains { $0.contains(number) } ?? false }
        }
        return found
    }
}

extension [ClosedRange<Int>] {
    /// The parts above a number.
    fileprivate func above(_ number: Int) -> [ClosedRange<Int>] {
        compactMap { range in
            guard range.upperBound > number else { return nil }
            return Swift.max(range.lowerBound, number + 1)...range.upperBound
        }
    }

    /// Takes the first numbers away and returns them.
    fileprivate mutating func removeFirst(_ count: Int) -> [ClosedRange<Int>] {
        var taken: [ClosedRange<Int>] = []
        var remaining = count
        while remaining > 0, let range = first {
            let last = Swift.min(range.upperBound, range.lowerBound + remaining - 1)
            taken.append(range.lowerBound...last)
            remaining -= last - range.lowerBound + 1
            if last == range.upperBound { removeFirst() } else { self[0] = last + 1...range.upperBound }
        }
        return taken
    }
}

extension VerdictRecord {
    /// - Parameter column: the first of six: number, time, card's index, card's id, direction, kind.
    init(_ row: Row, from column: Int) throws {
        guard let kind = Kind(rawValue: try row.integer(column + 5)) else {
            throw JournalError.damaged("a verdict is neither given nor reverted")
        }
        self.init(
            number: try row.integer(column),
            atMilliseconds: try row.number(column + 1),
            cardIndex: try row.integer(column + 2),
            cardID: try row.text(column + 3),
            direction: try row.text(column + 4),
            kind: kind
        )
    }
}
