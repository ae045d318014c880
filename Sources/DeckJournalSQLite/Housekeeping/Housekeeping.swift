import DeckJournal

/// Removes data that is older than its age or belongs to ended sessions, moves the heads of sessions from the entries into
/// the sessions' rows, and gives free pages back. It does so in steps between the groups of changes, each short enough
/// that no commit waits long for it.
struct Housekeeping {
    /// After this time a step removes no further rows of ended sessions. A fold has the same time once more, or several times as
    /// long. Other chores are limited by their numbers of rows. The commits come in addition.
    private static let stepDuration = Duration.milliseconds(2)

    /// Something that housekeeping does. It returns whether it changed something, and whether there is more to do.
    typealias Chore =
        @Sendable (inout Housekeeping, inout WriteTransaction, _ deadline: ContinuousClock.Instant) throws ->
        (hasChanged: Bool, hasMore: Bool)

    /// At least how many rows and entries are due.
    private(set) var backlog = 0
    var pageCount: Int { shrinking.pageCount }
    var fold = Fold()
    var logs = LogChore()
    private var answerSweep = AnswerSweep()
    private var truncation = LogTruncation()
    private var shrinking = FileShrinking()
    /// How many sessions have rows although they ended.
    var leftovers = 0
    private var nextRound = ContinuousClock.now
    private var nextAttempt = ContinuousClock.now
    private var hasMore = false

    private static let chores: [Chore] = [
        { housekeeping, transaction, deadline in
            housekeeping.leftovers = try transaction.leftoverCount()
            return try transaction.removeLeftovers(until: deadline)
        },
        { _, transaction, _ in try transaction.expireSessions() },
        { _, transaction, _ in try transaction.removeAnswers() },
        { housekeeping, transaction, _ in try transaction.sweepAnswers(&housekeeping.answerSweep) },
        { _, transaction, _ in try transaction.removeDeckKeys() },
        { _, transaction, _ in try transaction.removeVerdicts() },
        { _, transaction, _ in try transaction.removeNotices() },
        { housekeeping, transaction, _ in try housekeeping.logs.run(&transaction) },
    ]

    /// Does a step if one is due. Returns whether there is more to do at once.
    mutating func step(_ work: WriterWork, _ writer: Writer) throws -> Bool {
        let now = ContinuousClock.now
        fold.start(ifNeededBy: work, writer)
        let isRound = hasMore || now >= nextRound
        guard now >= nextAttempt, isRound || fold.isActive else { return false }
        // A step that fails is tried again only after a while.
        nextAttempt = now + writer.options.housekeepingInterval
        let deadline = now + Self.stepDuration
        if isRound {
            nextRound = now + writer.options.housekeepingInterval
            hasMore = false
            // A log that is too large can be what a chore has no room for.
            hasMore = try truncation.run(work, writer)
            for chore in Self.chores { try run(chore, work, deadline) }
            hasMore = try shrinking.run(work, writer) || hasMore
        }
        if fold.isActive {
            try run(
                { housekeeping, transaction, deadline in
                    try housekeeping.fold.run(&transaction, until: deadline)
                },
                work,
                .now + Self.stepDuration * fold.durations(forEntries: work.entryCount)
            )
        }
        nextAttempt = now
        backlog = (fold.isActive ? work.entryCount : 0) + leftovers + (hasMore ? 1 : 0)
        return hasMore || fold.isActive
    }

    private mutating func run(_ chore: Chore, _ work: WriterWork, _ deadline: ContinuousClock.Instant) throws {
        let former = self
        var hasMore = false
        do {
            _ = try work.tidy { transaction in
                let result = try chore(&self, &transaction, deadline)
                hasMore = result.hasMore
                return result.hasChanged
            }
        } catch {
            self = former
            throw error
        }
        self.hasMore = self.hasMore || hasMore
    }
}
