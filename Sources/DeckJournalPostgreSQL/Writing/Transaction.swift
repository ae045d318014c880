import DeckJournal

/// A transaction that changes the journal. While it lasts, no other one changes it, whichever node that is of.
struct Transaction {
    private let connection: Connection
    /// The changes so far: none, with what was read.
    let changes: Changes

    /// What a connection for transactions begins with. A transaction of another node that waits for a standby has the lock
    /// meanwhile, so the wait for it has a limit. A node that stands still within a transaction loses it, so that the others
    /// can go on.
    static let limits = ["SET lock_timeout = '4s'", "SET idle_in_transaction_session_timeout = '2s'"]

    /// Begins a transaction, and reads what its changes need.
    ///
    /// - Parameter link: one whose connections have the ``limits``.
    init(_ link: Link, _ needs: Needs, _ options: JournalOptions) throws {
        connection = try link.connected()
        do {
            let remembered = connection.recentHeads.heads(of: needs.sessions)
            var unread = needs
            unread.sessions = needs.sessions.filter { remembered[$0] == nil }
            let results = try connection.run([Statement("BEGIN"), Tally.locking] + Known.statements(for: unread))
            let tally = try Tally(results[1])
            var known = Known()
            try known.read(results.dropFirst(2), of: unread)
            if connection.recentHeads.check(tally) {
                known.heads.merge(remembered) { read, _ in read }
            } else if !remembered.isEmpty {
                var changed = Needs()
                changed.sessions = Set(remembered.keys)
                try known.read(try connection.run(Known.statements(for: changed)), of: changed)
            }
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

    /// Writes changes, and commits. Other nodes hear of them. If the connection is lost meanwhile, it is not known whether that
    /// has happened.
    ///
    /// - Parameter announcement: makes the statement that notifies them.
    func commit(_ changes: inout Changes, announcing announcement: (Changes) -> Statement) throws {
        changes.tally.writes += 1
        let end = [changes.tally.writing, announcement(changes), Statement("COMMIT")]
        do {
            _ = try connection.run(changes.statements + end)
            connection.recentHeads.remember(changes)
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
