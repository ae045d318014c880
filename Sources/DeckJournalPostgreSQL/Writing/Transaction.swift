import DeckJournal

/// A transaction that changes the journal. While it lasts, no other transaction of any node changes the journal.
struct Transaction {
    private let connection: Connection
    /// When it began, on the server's clock.
    let time: WallTime
    /// The changes so far.
    var changes: Changes
    /// The end of the feed before it.
    private let formerFeedEnd: Int
    /// Whether the server has lost commits, so that the transaction starts a new generation.
    let hasLostCommits: Bool

    /// The settings of a connection for transactions. A transaction of another node holds the lock while it waits for a standby, so
    /// the wait for the lock has a limit. The server ends the transaction of a node that stands still, so that the others can
    /// continue.
    static let limits = ["SET lock_timeout = '4s'", "SET idle_in_transaction_session_timeout = '2s'"]

    /// On the stricter levels the server refuses the lock if another transaction has written while this one waited for it. The
    /// server's default can be one of those.
    private static let beginning = Statement("BEGIN ISOLATION LEVEL READ COMMITTED")

    /// Begins a transaction, and reads what its changes need. If the server is a standby, closes the connection, so that the next
    /// attempt can reach another server.
    ///
    /// - Parameters:
    ///   - link: one whose connections have the ``limits``.
    ///   - clock: is compared with the server's.
    ///   - newest: the newest tally that is known to be committed.
    init(_ link: Link, _ needs: Needs, _ ages: JournalAges, _ clock: DatabaseClock, after newest: Tally) throws {
        connection = try link.connected()
        do {
            var heads = connection.recentHeads.take()
            let unread = connection.recentHeads.isAlone ? needs.withoutSessions(in: heads) : needs
            let sent = WallTime.now()
            let results = try connection.run([Self.beginning, Tally.locking] + Known.statements(for: unread))
            link.prove()
            var tally = try Tally(results[1])
            if let time = try results[1].first?.time(Tally.clockColumn) {
                clock.compare(time, sent: sent, received: .now())
            }
            let areCurrent = connection.recentHeads.check(tally)
            if !areCurrent { heads = Heads() }
            var known = Known(heads)
            try known.read(results.dropFirst(2), of: unread)
            if !areCurrent, unread.sessions.count < needs.sessions.count {
                let sessions = Needs(needs.sessions.map(Need.session))
                try known.read(try connection.run(Known.statements(for: sessions)), of: sessions)
            }
            formerFeedEnd = tally.lastFeedPosition
            hasLostCommits = try tally.recover(from: newest)
            time = clock.now
            changes = Changes(known, tally, at: time, oldestAnswer: ages.answers?.before(time))
        } catch {
            Self.rollBack(connection)
            if let failure = error as? DatabaseFailure {
                if failure.isOfStandby { link.abandon(after: failure) }
                if failure.isOfLock { try? Self.endStalled(connection) }
            }
            throw error
        }
    }

    /// Ends the transactions that hold the lock and whose statements the server has received in part, and nothing since, or whose
    /// nodes do not read its responses. Their nodes have given them up: they hang, or the network does not reach them. The server counts
    /// such a transaction as active, so the limit for idle ones does not end it.
    private static func endStalled(_ connection: Connection) throws {
        let sql = """
            SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
            WHERE relation = to_regclass('tally') AND datname = current_database() AND mode = 'RowShareLock'
                AND state = 'active' AND wait_event IN ('ClientRead', 'ClientWrite') AND now() - state_change > $1 * interval '1 s'
            """
        _ = try connection.run(sql, [.integer(Int(Connection.patience / .seconds(1)))])
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

    /// Writes the changes, and commits. Other nodes are notified of them. If the connection is lost meanwhile, it is not known
    /// whether the changes are committed.
    ///
    /// - Parameter announcement: makes the statement that notifies them.
    mutating func commit(announcing announcement: (Committed) -> Statement) throws -> Committed {
        do {
            try changes.tally.countWrite()
            let hasFeedRows = changes.tally.lastFeedPosition != formerFeedEnd
            let committed = Committed(tally: changes.tally, news: changes.news, hasFeedRows: hasFeedRows)
            let end = [committed.tally.writing, announcement(committed), Statement("COMMIT")]
            _ = try connection.run(changes.statements + end)
            connection.recentHeads.put(changes.takeHeads(), committed.tally)
            return committed
        } catch let failure as DatabaseFailure where failure.isConnectionLost {
            throw JournalError.unknown(failure.message)
        } catch {
            Self.rollBack(connection)
            throw error
        }
    }

    /// Ends the transaction, which has made no changes.
    mutating func end() -> Committed {
        Self.rollBack(connection)
        connection.recentHeads.put(changes.takeHeads(), changes.tally)
        return Committed(tally: changes.tally, news: [], hasFeedRows: false)
    }

    private static func rollBack(_ connection: Connection) {
        guard !connection.isLost, connection.isInTransaction else { return }
        _ = try? connection.run("ROLLBACK")
    }
}

/// What a transaction has committed.
struct Committed {
    var tally: Tally
    /// What other nodes must hear.
    var news: [JournalNews]
    /// Whether the feed has new rows. The newest known tally does not say that: a reader may have learned of this one already.
    var hasFeedRows: Bool
}
