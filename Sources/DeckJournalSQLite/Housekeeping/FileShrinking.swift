import DeckJournal

/// Returns pages to the file system if they stay free.
///
/// The entries that the fold removes leave many free pages, and later entries use them again. To return a page, SQLite moves
/// another one into its place. So only as many pages are returned as have been free for a while.
struct FileShrinking {
    /// The number of free pages that stay in the file, in addition to one in twenty of all pages.
    private static let sparePages = 256
    private static let pagesPerStep = 64
    /// The number of intervals of housekeeping for which a page must have been free.
    private static let intervals = 60

    private(set) var pageCount = 0
    private var excess = LastingExcess()

    /// Returns whether there is more to do.
    mutating func run(_ work: WriterWork, _ writer: Writer) throws -> Bool {
        pageCount = try work.db.integer("PRAGMA page_count") ?? 0
        guard writer.canShrink else { return false }
        let free = try work.db.integer("PRAGMA freelist_count") ?? 0
        let period = writer.options.housekeepingInterval * Self.intervals
        excess.observe(free - Self.sparePages - pageCount / 20, at: .now, over: period)
        guard excess.due > 0 else { return false }
        let count = min(excess.due, Self.pagesPerStep)
        try work.db.execute("PRAGMA incremental_vacuum(\(count))")
        excess.remove(count)
        return excess.due > 0
    }
}

/// The smallest of the values that were observed in a period.
struct LastingExcess {
    /// The number to remove: the smallest of the last period, without those that were removed since.
    private(set) var due = 0
    private var least = 0
    private var end: ContinuousClock.Instant?

    mutating func observe(_ excess: Int, at now: ContinuousClock.Instant, over period: Duration) {
        due = max(0, min(due, excess))
        least = min(least, excess)
        if let end {
            guard now >= end else { return }
            due = max(0, least)
        }
        least = excess
        end = now + period
    }

    mutating func remove(_ count: Int) {
        due -= count
        least -= count
    }
}
