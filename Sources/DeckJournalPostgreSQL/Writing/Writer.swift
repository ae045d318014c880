import DeckJournal
import Foundation
import Locking

/// The thread that writes. All changes that wait become one transaction, so that they share its round trips and its wait for
/// the disk. Between the groups it does the housekeeping.
final class Writer: Sendable {
    private struct State {
        var commits = 0
        var changes = 0
        var failures = 0
        var tally: Tally
        var backlog = 0
        var longestStep = Duration.zero
        /// Whether the last transaction was committed; false before the first.
        var isWritable = false
    }

    let inbox = Inbox<WriteJob>()
    let room: Room
    let options: JournalOptions
    let observers: Observers
    private let target: Connection.Target
    /// The name of this node, and where it announces its changes.
    private let node: String
    private let channel: String
    private let deliveries = Deliveries()
    private let state: Lock<State>

    private static let largestGroup = 1024
    private static let largestGroupBytes = 16 << 20

    init(_ target: Connection.Target, _ options: JournalOptions, _ tally: Tally, node: String, channel: String) {
        self.target = target
        self.options = options
        self.node = node
        self.channel = channel
        observers = Observers(deliveries)
        room = Room(options.limits)
        state = Lock(State(tally: tally))
    }

    var isWritable: Bool { state.withLock { $0.isWritable } }

    /// Adds the writer's measurements.
    func measure(_ statistics: inout JournalStatistics) {
        (statistics.queuedChanges, statistics.queuedBytes) = room.occupied
        statistics.oldestWait = inbox.oldestWait
        state.withLock { state in
            statistics.commits = state.commits
            statistics.changes = state.changes
            statistics.failures = state.failures
            statistics.sessions = state.tally.sessionCount
            statistics.generation = state.tally.generation
            statistics.housekeepingBacklog = state.backlog
            statistics.longestHousekeepingStep = state.longestStep
        }
    }

    /// Makes the changes that wait until the inbox is closed and empty.
    func run() {
        let link = Link(target, preparation: Transaction.limits)
        var housekeeping = Housekeeping(options)
        var wait = options.housekeepingInterval
        while let jobs = inbox.take(atMost: Self.largestGroup, bytes: Self.largestGroupBytes, within: wait) {
            for job in jobs { job.room.free() }
            if !jobs.isEmpty { write(jobs, link) }
            wait = tidy(&housekeeping, link) ? .zero : options.housekeepingInterval
        }
        deliveries.close()
    }

    private func write(_ jobs: [WriteJob], _ link: Link) {
        let start = ContinuousClock.now
        do {
            try commit(jobs, link)
            report(JournalWrite(changes: jobs.count, duration: .now - start, isSaved: true))
        } catch let failure as DatabaseFailure where failure.isAboutTheRecord && jobs.count > 1 {
            // One that cannot be written fails alone.
            for job in jobs { write([job], link) }
        } catch {
            report(JournalWrite(changes: jobs.count, duration: .now - start, isSaved: false))
            let error = JournalError(error)
            deliveries.deliver(jobs.map { job in Deliveries.Delivery(key: job.key) { job.fail(error) } })
        }
    }

    private func commit(_ jobs: [WriteJob], _ link: Link) throws {
        var transaction = try begin(Needs(jobs.lazy.flatMap(\.needs)), link)
        let completions = jobs.map { job in
            Deliveries.Delivery(key: job.key, complete: job.perform(&transaction.changes))
        }
        let committed = try transaction.commit(announcing: announcement)
        let former = learn(committed.tally)
        deliveries.deliver(completions)
        report(committed, after: former)
    }

    /// Begins a transaction. If the connection was lost since the last one, a new one is made first.
    private func begin(_ needs: Needs, _ link: Link) throws -> Transaction {
        do {
            return try Transaction(link, needs, options)
        } catch let failure as DatabaseFailure where failure.isConnectionLost && link.mayReconnect {
            return try Transaction(link, needs, options)
        } catch let failure as DatabaseFailure where failure.isOfStandby {
            link.abandon()
            throw failure
        }
    }

    /// The statement that notifies other nodes of a group.
    private func announcement(_ committed: Committed) -> Statement {
        let subject = Announcement.Subject.commit(
            writes: committed.tally.writes,
            sessionCount: committed.tally.sessionCount,
            lastPosition: committed.tally.lastPosition
        )
        return Listener.notify(channel, Announcement(node: node, subject, committed.news.flatMap(NewsLine.lines)))
    }

    /// Takes note of the newest tally, and returns the one before it.
    @discardableResult
    func learn(_ tally: Tally) -> Tally {
        state.withLock { state in
            defer { if tally.writes >= state.tally.writes { state.tally = tally } }
            return state.tally
        }
    }

    /// Reports what another node has announced.
    func hear(_ subject: Announcement.Subject, _ news: [SessionNews]) {
        observers.report(news)
        guard case .commit(let writes, let sessionCount, let lastPosition) = subject else { return }
        let hasVerdicts = state.withLock { state in
            guard writes >= state.tally.writes else { return true }
            defer { state.tally.lastPosition = lastPosition }
            state.tally.writes = writes
            state.tally.sessionCount = sessionCount
            return lastPosition > state.tally.lastPosition
        }
        if hasVerdicts { observers.reportVerdicts() }
    }

    /// Reports that announcements of other nodes may have been missed.
    func reportInterruption(_ tally: Tally) {
        learn(tally)
        observers.report([.interrupted(database: 0)])
        observers.reportVerdicts()
    }

    private func report(_ committed: Committed, after former: Tally) {
        observers.report(committed.news.filter { if case .ended = $0 { true } else { false } })
        if committed.tally.lastPosition != former.lastPosition { observers.reportVerdicts() }
    }

    /// Remembers how the last transaction went, before any of its completions is called.
    private func report(_ write: JournalWrite) {
        state.withLock { state in
            state.isWritable = write.isSaved
            if write.isSaved {
                state.commits += 1
                state.changes += write.changes
            } else {
                state.failures += write.changes
            }
        }
        observers.report(write)
    }

    /// Does one step of housekeeping. Returns whether there is more to do at once.
    private func tidy(_ housekeeping: inout Housekeeping, _ link: Link) -> Bool {
        let start = ContinuousClock.now
        guard housekeeping.isDue(at: start) else { return false }
        guard let committed = try? housekeeping.step(link, announcing: announcement) else { return false }
        report(committed, after: learn(committed.tally))
        state.withLock { state in
            state.backlog = housekeeping.backlog
            state.longestStep = max(state.longestStep, .now - start)
        }
        return housekeeping.backlog > 0
    }
}
