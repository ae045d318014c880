import DeckJournal
import Foundation
import Locking

/// Writes changes to the database, on one thread. It takes the changes that wait, up to a limit, as one group and writes them
/// in one transaction, so that they share its round trips and its wait for the disk. Between groups it does housekeeping.
final class Writer: Sendable {
    let activity = JournalActivity()
    let queue: ChangeQueue<WriteJob>
    let options: JournalOptions
    private let target: Connection.Target
    /// The name of this node.
    private let node: String
    /// The NOTIFY channel on which nodes announce their changes.
    private let channel: String
    private let deliveries = Deliveries()
    private let lead: Lead
    let clock: DatabaseClock
    private let knowledge: Lock<Knowledge>

    private struct Knowledge {
        /// The newest tally that the database is known to have had.
        var tally: Tally
        /// The end of the feed as another node has last announced it.
        var announcedEnd: Int
        /// How often the generation has grown, and when that was last noticed.
        var losses = 0
        var lastLoss: ContinuousClock.Instant?
    }

    /// - Parameter lead: is changed when the connection of the writer is made again.
    init(
        _ target: Connection.Target,
        leading lead: Lead,
        _ options: JournalOptions,
        _ tally: Tally,
        node: String,
        channel: String
    ) {
        self.target = target
        self.lead = lead
        self.options = options
        clock = DatabaseClock(options.clock)
        self.node = node
        self.channel = channel
        queue = ChangeQueue(options.limits)
        knowledge = Lock(Knowledge(tally: tally, announcedEnd: tally.lastFeedPosition))
    }

    /// The newest tally that is known to have been committed.
    var newestTally: Tally { knowledge.withLock(\.tally) }

    /// The newest generation that is known to be committed.
    var generation: Int { newestTally.generation }

    /// When the server was last found to have lost commits; nil: it has lost none.
    var lastLoss: ContinuousClock.Instant? { knowledge.withLock(\.lastLoss) }

    /// Adds the writer's measurements.
    func measure(_ statistics: inout JournalStatistics) {
        queue.measure(&statistics)
        activity.measure(&statistics)
        let known = knowledge.withLock(\.self)
        statistics.sessions = known.tally.sessionCount
        statistics.generation = known.tally.generation
        statistics.losses = known.losses
        statistics.clockDifference = clock.difference
    }

    /// Adds a change to the queue.
    ///
    /// - Parameters:
    ///   - bytes: the size of its data.
    ///   - isTrial: whether it gets a transaction without changes.
    func add<Value: Sendable>(
        _ bytes: Int,
        _ needs: [Need],
        isTrial: Bool = false,
        _ completion: @escaping JournalCompletion<Value>,
        using reservation: Reservation? = nil,
        _ body: @escaping @Sendable (inout Changes) throws(JournalError) -> Value
    ) {
        let job = WriteJob(needs: needs, isTrial: isTrial, completion, body)
        queue.add(job, bytes: bytes, using: reservation, completion)
    }

    /// Writes changes as they arrive. Returns when the queue is closed and empty, and all completions were called.
    ///
    /// - Parameter first: the first connection, to a server that takes changes. The other connections of the journal are made later than
    ///   it, and follow each later one.
    func run(_ first: FirstConnection) {
        let link = Link(target, preparation: Transaction.limits, leads: lead, first: first.take())
        var housekeeping = Housekeeping(options, clock)
        var wait = options.housekeepingInterval
        while let jobs = queue.takeGroup(within: wait) {
            let hasTrials = jobs.contains(where: \.isTrial)
            let groups = hasTrials ? [jobs.filter { !$0.isTrial }, jobs.filter(\.isTrial)] : [jobs]
            for group in groups where !group.isEmpty { write(group, link) }
            wait = tidy(&housekeeping, link) ? .zero : options.housekeepingInterval
        }
        deliveries.close()
    }

    private func write(_ jobs: [WriteJob], _ link: Link) {
        let start = ContinuousClock.now
        do {
            let (completions, committed) = try commit(jobs, link)
            activity.record(JournalWrite(changes: jobs.count, duration: .now - start, isSaved: true))
            deliveries.deliver(completions)
            report(committed)
        } catch let failure as DatabaseFailure where failure.isAboutTheRecord && jobs.count > 1 {
            // The database refused one of the changes. Each is written separately, so that only that one fails.
            for job in jobs { write([job], link) }
        } catch {
            activity.record(JournalWrite(changes: jobs.count, duration: .now - start, isSaved: false))
            let error = JournalError(error)
            deliveries.deliver(jobs.map { job in { job.fail(error) } })
        }
    }

    /// Writes a group of changes in one transaction.
    ///
    /// - Returns: the completions to call, and what the transaction has changed.
    private func commit(_ jobs: [WriteJob], _ link: Link) throws -> ([Deliveries.Delivery], Committed) {
        var transaction = try begin(Needs(jobs.lazy.flatMap(\.needs)), link)
        let completions = jobs.map { $0.perform(&transaction.changes) }
        let committed = try transaction.commit(announcing: announcement)
        learn(committed.tally)
        return (completions, committed)
    }

    /// Begins a transaction. If the connection was lost, connects again and begins once more.
    private func begin(_ needs: Needs, _ link: Link) throws -> Transaction {
        do {
            return try Transaction(link, needs, options.ages, clock, after: newestTally)
        } catch let failure as DatabaseFailure where failure.isConnectionLost && link.mayReconnect {
            return try Transaction(link, needs, options.ages, clock, after: newestTally)
        }
    }

    /// The statement that notifies other nodes of what a transaction has changed.
    private func announcement(_ committed: Committed) -> Statement {
        let subject = Announcement.Subject.commit(lastFeedPosition: committed.tally.lastFeedPosition)
        return Listener.notify(channel, Announcement(node: node, subject, committed.news.flatMap(NewsLine.lines)))
    }

    /// Stores a tally that the database has, unless a newer one is stored already. If a generation has started, on whichever node, the
    /// server has lost commits. Sessions in memory may have them, so this counts as an interruption.
    private func learn(_ tally: Tally) {
        let hasLostCommits = knowledge.withLock { known in
            let isNew = tally.generation > known.tally.generation
            if isNew { (known.losses, known.lastLoss) = (known.losses + 1, .now) }
            if tally.writes >= known.tally.writes { known.tally = tally }
            return isNew
        }
        if hasLostCommits { reportInterruption() }
    }

    /// Reads the tally, and stores it. If the server has lost commits, starts a generation.
    ///
    /// - Parameter completion: is called then, or at once.
    func readTally(_ connection: Connection, completion: @escaping @Sendable () -> Void = {}) throws {
        let former = newestTally
        let tally = try Tally(connection.run([Tally.reading])[0])
        learn(tally)
        guard tally.writes < former.writes else { return completion() }
        add(0, [], { (_: Result<Void, JournalError>) in completion() }) { _ in }
    }

    /// Reports what another node has announced.
    func hear(_ subject: Announcement.Subject, _ news: [JournalNews]) {
        report(news, hasFeedRows: learnOfFeedRows(subject))
    }

    /// Whether the feed may have new rows. An announcement is only a hint: if it is wrong, the feed is read in vain.
    private func learnOfFeedRows(_ subject: Announcement.Subject) -> Bool {
        guard case .commit(let lastFeedPosition) = subject else { return false }
        return knowledge.withLock { known in
            defer { known.announcedEnd = lastFeedPosition }
            return lastFeedPosition != known.announcedEnd
        }
    }

    /// Reports that announcements of other nodes may have been missed. If the server has lost commits, a generation starts before.
    func reportInterruption(_ connection: Connection) throws {
        try readTally(connection) { [self] in reportInterruption() }
    }

    private func reportInterruption() {
        report([.interrupted(database: 0)], hasFeedRows: true)
    }

    private func report(_ committed: Committed) {
        let ends = committed.news.filter { if case .ended = $0 { true } else { false } }
        report(ends, hasFeedRows: committed.hasFeedRows)
    }

    private func report(_ news: [JournalNews], hasFeedRows: Bool) {
        deliveries.deliver(activity.reports(of: news, hasFeedRows: hasFeedRows))
    }

    /// Does one step of housekeeping. Returns whether there is more to do at once.
    private func tidy(_ housekeeping: inout Housekeeping, _ link: Link) -> Bool {
        let start = ContinuousClock.now
        guard housekeeping.isDue(at: start) else { return false }
        do {
            let committed = try housekeeping.step(link, after: newestTally, announcing: announcement)
            learn(committed.tally)
            report(committed)
            activity.recordStep(backlog: housekeeping.backlog, duration: .now - start)
            return housekeeping.backlog > 0
        } catch {
            let error = JournalError(error)
            activity.recordStep(error)
            // The step may have ended sessions.
            if case .unknown = error { reportInterruption() }
            return false
        }
    }
}
