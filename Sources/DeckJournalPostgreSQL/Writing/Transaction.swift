import DeckJournal

/// A transaction that changes the journal. While it lasts, no other one changes it, whichever node that is of.
struct Transaction {
    private let connection: Connection
    /// The changes so far: none, with what was read.
    let changes: Changes

    /// Begins a transaction, and reads what its changes need. A transaction of another node that waits for a standby has the
    /// lock meanwhile, so the wait for it has a limit. A node that
    /// stands still within a transaction loses it, so that the others can go on.
    init(_ link: Link, _ needs: Needs, _ options: JournalOptions) throws {
        connection = try link.connected()
        do {
            let begin = [
                "BEGIN", "SET LOCAL lock_timeout = '4s'", "SET LOCAL idle_in_transaction_session_timeout = '2s'",
            ]
            let first = begin.map { Statement($0) } + [Tally.locking]
            let results = try connection.run(first + Known.statements(for: needs))
            let tally = try Tally(results[begin.count])
            let known = try Known(Array(results.dropFirst(first.count)))
            let time = options.clock()
            changes = Changes(known, tally, at: time, oldestAnswer: options.ages.answers?.before(time))
        } catch {
            Self.rollBack(connection)
            throw error
        }
    }

    /// Runs statements within the transaction.
    func run(_ statements: [Statement]) throws -> [Rows] {
        do {
            return try connection.run(statements)
        } catch {
            Self.rollBack(connection)
            throw error
        }
    }

    /// Writes changes, and commits. Other nodes hear of them. If the connection is lost meanwhile, it is not known whether that has happened.
    ///
    /// - Parameter announcement: makes the statement that notifies them.
    func commit(_ changes: inout Changes, announcing announcement: (Changes) -> Statement) throws {
        changes.tally.writes += 1
        let end = [changes.tally.writing, announcement(changes), Statement("COMMIT")]
        do {
            _ = try connection.run(changes.statements + end)
        } catch let failure as DatabaseFailure where failure.isConnectionLost {
            throw JournalError.unknown(failure.message)
        } catch {
            Self.rollBack(connection)
            throw error
        }
    }

    /// Ends the transaction without changes.
    func end() {
        Self.rollBack(connection)
    }

    private static func rollBack(_ connection: Connection) {
        guard !connection.isLost, connection.isInTransaction else { return }
        _ = try? connection.run("ROLLBACK")
    }
}
