import DeckJournal
import Foundation
import Locking

/// The thread that hears what other nodes have committed.
///
/// Twice a second it sends itself a heartbeat. PostgreSQL delivers notifications in the order of their transactions, so a
/// heartbeat that comes back proves that everything has been heard that was committed before it was sent.
final class Listener: Sendable {
    private struct State {
        var coverage = NewsCoverage(since: .now, until: .now)
        /// When the last heartbeat that came back was sent, and how long it took.
        var confirmed = ContinuousClock.now
        var lag = Duration.zero
        var connections = 0
        /// Whether sessions may be in memory, so that an interruption matters.
        var isInUse = false
        var isStopped = false
        /// The lines that have not been sent.
        var outbox: [NewsLine] = []
    }

    /// The maximum number of lines in the outbox, so that a server that cannot be reached costs little memory.
    private static let mostWaiting = 4096
    /// The shortest pause after an error.
    private static let shortestPause = Duration.milliseconds(100)
    private static let heartbeatInterval = Duration.milliseconds(500)
    /// The shortest time between two calls of ``commitsHeard``.
    private static let shortestSilence = Duration.milliseconds(20)

    private let target: Connection.Target
    private let lead: Lead
    private let channel: String
    private let node: String
    private let hear: @Sendable (Announcement.Subject, [JournalNews]) -> Void
    private let commitsHeard: @Sendable () -> Void
    private let interrupted: @Sendable (Connection) throws -> Void
    private let alarm = Alarm()
    private let ready = DispatchSemaphore(value: 0)
    private let state = Lock(State())

    /// - Parameters:
    ///   - hear: gets the announcements of other nodes.
    ///   - commitsHeard: is called after announcements of commits, once for those that follow each other closely.
    ///   - interrupted: is called when announcements may have been missed, with a connection that can read.
    init(
        _ target: Connection.Target,
        following lead: Lead,
        channel: String,
        node: String,
        hear: @escaping @Sendable (Announcement.Subject, [JournalNews]) -> Void,
        commitsHeard: @escaping @Sendable () -> Void,
        interrupted: @escaping @Sendable (Connection) throws -> Void
    ) {
        self.target = target
        self.lead = lead
        self.channel = channel
        self.node = node
        self.hear = hear
        self.commitsHeard = commitsHeard
        self.interrupted = interrupted
    }

    var coverage: NewsCoverage { state.withLock { $0.coverage } }

    func measure(_ statistics: inout JournalStatistics) {
        state.withLock { state in
            // Without a connection, no heartbeat comes back.
            statistics.newsLag = max(state.lag, .now - state.confirmed - Self.heartbeatInterval)
            statistics.reconnections += max(0, state.connections - 1)
        }
    }

    /// Waits until the first connection is made. From then on interruptions are reported.
    func waitUntilReady() {
        // If it takes longer, what is missed until then is an interruption.
        _ = ready.wait(timeout: .now() + 5)
        state.withLock { $0.isInUse = true }
    }

    /// Sends news to the other nodes. They are lost if the server cannot be reached.
    func send(_ news: JournalNews) {
        let lines = NewsLine.lines(news)
        state.withLock { if $0.outbox.count + lines.count <= Self.mostWaiting { $0.outbox += lines } }
        alarm.ring()
    }

    /// Makes ``run()`` return.
    func stop() {
        state.withLock { $0.isStopped = true }
        alarm.ring()
    }

    func run() {
        // PostgreSQL sends notifications in the order of the commits. So a notification waits while an earlier commit waits for a
        // standby. With this limit, the server gives up before the node does. Otherwise it would wait on a connection that the
        // node has replaced.
        let link = Link(target, preparation: ["SET lock_timeout = '4s'"], follows: lead)
        while !state.withLock({ $0.isStopped }) {
            do {
                try listen(link)
            } catch {
                link.abandon(after: error)
                alarm.wait(atMost: max(link.pauseBeforeNextAttempt, Self.shortestPause))
            }
        }
    }

    /// Listens until the connection is lost or outdated, or the listener is stopped.
    private func listen(_ link: Link) throws {
        let connection = try link.connected()
        try subscribe(connection)
        var heartbeats = Heartbeats(interval: Self.heartbeatInterval)
        var readers: [String: JournalNewsReader] = [:]
        var commits = Commits(interval: Self.shortestSilence)
        while !link.isOutdated, !state.withLock({ $0.isStopped }) {
            try post(to: connection, &heartbeats)
            if commits.take() { commitsHeard() }
            alarm.wait(for: connection.awaited, atMost: min(heartbeats.timeToNext, commits.timeToNext))
            for payload in try connection.notifications() {
                guard let announcement = Announcement(payload: payload, readBy: node) else { continue }
                if case .commit = announcement.subject, announcement.node != node { commits.add() }
                if take(announcement, &heartbeats, &readers) { link.prove() }
            }
        }
    }

    /// Has the server send notifications from now on. What was announced before the connection is an interruption.
    private func subscribe(_ connection: Connection) throws {
        // What is sent here is not stored, so no commit needs to wait for a disk.
        _ = try connection.run([Statement("SET synchronous_commit = off"), Statement("LISTEN \(channel)")])
        let isInterruption = state.withLock { state in
            let now = ContinuousClock.now
            state.coverage = NewsCoverage(since: now, until: now)
            state.connections += 1
            return state.isInUse
        }
        ready.signal()
        if isInterruption { try interrupted(connection) }
    }

    /// Sends a heartbeat if one is due, and the lines that wait.
    private func post(to connection: Connection, _ heartbeats: inout Heartbeats) throws {
        if heartbeats.isDue {
            let announcement = Announcement(node: node, .heartbeat(heartbeats.begin()))
            try connection.post(Self.notify(channel, announcement))
        }
        if heartbeats.isLate {
            throw DatabaseFailure(code: "", message: "no notifications come", isConnectionLost: true)
        }
        // While the server has not answered, lines are gathered, and then sent together.
        let lines = connection.isBusy ? [] : takeOutbox()
        if !lines.isEmpty { try connection.post(Self.notify(channel, Announcement(node: node, .previews, lines))) }
    }

    /// Takes an announcement of another node, or a heartbeat of this one.
    ///
    /// - Returns: whether a heartbeat came back.
    private func take(
        _ announcement: Announcement,
        _ heartbeats: inout Heartbeats,
        _ readers: inout [String: JournalNewsReader]
    ) -> Bool {
        if announcement.node != node {
            let news = announcement.lines.compactMap {
                readers[announcement.node, default: JournalNewsReader()].news($0)
            }
            hear(announcement.subject, news)
        } else if case .heartbeat(let number) = announcement.subject, let sent = heartbeats.end(number) {
            confirm(sent)
            return true
        }
        return false
    }

    private func takeOutbox() -> [NewsLine] {
        state.withLock { state in
            defer { state.outbox = [] }
            return state.outbox
        }
    }

    /// A heartbeat came back.
    private func confirm(_ sent: ContinuousClock.Instant) {
        state.withLock { state in
            state.coverage.until = max(state.coverage.until, sent)
            state.confirmed = sent
            state.lag = .now - sent
        }
    }

    /// The statement that sends an announcement when its transaction is committed.
    static func notify(_ channel: String, _ announcement: Announcement) -> Statement {
        Statement(
            "SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload",
            [.text(channel), .texts(announcement.payloads)]
        )
    }
}

/// The commits that other nodes have announced.
private struct Commits {
    let interval: Duration
    private var last: ContinuousClock.Instant?
    private var isWaiting = false

    init(interval: Duration) {
        self.interval = interval
    }

    mutating func add() { isWaiting = true }

    /// The time until those that wait can be taken.
    var timeToNext: Duration {
        guard isWaiting else { return .seconds(1) }
        return last.map { max(.zero, interval - (.now - $0)) } ?? .zero
    }

    /// Whether any wait that can be taken.
    mutating func take() -> Bool {
        guard isWaiting, timeToNext == .zero else { return false }
        (isWaiting, last) = (false, .now)
        return true
    }
}

/// The heartbeats of a connection.
private struct Heartbeats {
    private let interval: Duration
    private var number = 0
    private var last: ContinuousClock.Instant?
    private var isUnderWay = false

    init(interval: Duration) {
        self.interval = interval
    }

    var isDue: Bool {
        guard let last else { return true }
        return !isUnderWay && .now - last >= interval
    }

    /// The time until the next heartbeat must be sent.
    var timeToNext: Duration {
        guard let last, !isUnderWay else { return interval }
        return max(.zero, interval - (.now - last))
    }

    /// Whether a heartbeat has not come back within ``Connection/patience``.
    var isLate: Bool {
        guard isUnderWay, let last else { return false }
        return .now - last > Connection.patience
    }

    mutating func begin() -> Int {
        number += 1
        last = .now
        isUnderWay = true
        return number
    }

    /// - Returns: when the heartbeat was sent; nil: it is of a former connection.
    mutating func end(_ number: Int) -> ContinuousClock.Instant? {
        guard number == self.number, isUnderWay else { return nil }
        isUnderWay = false
        return last
    }
}
