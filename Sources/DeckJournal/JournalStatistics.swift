/// Measurements of a journal.
public struct JournalStatistics: Sendable, Hashable {
    /// The sessions that have not ended.
    public var sessions = 0
    /// Transactions that were committed, each with one wait for the disk, without those of housekeeping.
    public var commits = 0
    /// Changes in those transactions.
    public var changes = 0
    /// Changes that failed because of the disk or the file.
    public var failures = 0
    /// Changes that wait, and reservations that were not used yet.
    public var queuedChanges = 0
    /// The bytes of those changes and reservations.
    public var queuedBytes = 0
    /// How long the oldest waiting change has waited.
    public var oldestWait = Duration.zero
    /// Rows and entries that housekeeping knows to be due. It is at least one as long as housekeeping has work.
    public var housekeepingBacklog = 0
    /// The longest time that a change may have waited for a step of housekeeping.
    public var longestHousekeepingStep = Duration.zero
    /// Steps of housekeeping that failed.
    public var housekeepingFailures = HousekeepingFailures()
    /// The size of the database file in bytes.
    public var fileBytes = 0
    /// The size of the write-ahead log in bytes.
    public var walBytes = 0
    /// The pages of the database file, free ones included.
    public var pageCount = 0
    /// The generation of the journal, which grows whenever older data is restored.
    public var generation = 0
    /// How often the generation has grown since the journal was opened, because the database has lost commits.
    public var losses = 0

    /// How long the last change of another process took to be known here, as far as this can be measured.
    public var newsLag = Duration.zero
    /// How often the connection was made again that brings the changes of other processes.
    public var reconnections = 0
    /// How much the clocks of this machine and of the database's server differ at least.
    public var clockDifference = Duration.zero
    /// A smaller difference of the clocks counts as none.
    public static let clockTolerance = Duration.seconds(2)

    /// Creates statistics that are all zero.
    public init() {}

    /// Adds the measurements of another database.
    mutating func add(_ other: JournalStatistics) {
        sessions += other.sessions
        commits += other.commits
        changes += other.changes
        failures += other.failures
        queuedChanges += other.queuedChanges
        queuedBytes += other.queuedBytes
        oldestWait = max(oldestWait, other.oldestWait)
        housekeepingBacklog += other.housekeepingBacklog
        longestHousekeepingStep = max(longestHousekeepingStep, other.longestHousekeepingStep)
        housekeepingFailures.add(other.housekeepingFailures)
        fileBytes += other.fileBytes
        walBytes += other.walBytes
        pageCount += other.pageCount
        generation = max(generation, other.generation)
        losses += other.losses
        newsLag = max(newsLag, other.newsLag)
        reconnections += other.reconnections
        clockDifference = max(clockDifference, other.clockDifference)
    }
}

/// The steps of housekeeping that failed.
public struct HousekeepingFailures: Sendable, Hashable {
    private struct Failure: Hashable {
        let time: ContinuousClock.Instant
        let error: JournalError
    }

    /// How many there were.
    public private(set) var count = 0
    private var last: Failure?

    /// No failures.
    public init() {}

    /// Why the last step failed; nil: none has failed.
    public var lastError: JournalError? { last?.error }

    /// Adds a step that has failed now.
    public mutating func add(_ error: JournalError) {
        count += 1
        last = Failure(time: .now, error: error)
    }

    /// Adds the failures of another database.
    mutating func add(_ other: HousekeepingFailures) {
        count += other.count
        last = [last, other.last].compactMap(\.self).max { $0.time < $1.time }
    }
}
