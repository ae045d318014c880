/// The state of one session after an entry. Revisions are opaque: they can only be compared and passed back.
///
/// A revision consists of the journal's generation and a counter. Neither ever decreases, so no revision is used twice,
/// not even after a failed write or after a backup was restored.
public struct Revision: Sendable, Hashable, Comparable, LosslessStringConvertible {
    package var position: Int64

    package init(position: Int64) {
        self.position = position
    }

    /// The generation of the journal in which the revision was committed.
    public var generation: Int { Generation.of(Int(position)) }

    /// Reads the text that `description` wrote; nil for any other text.
    public init?(_ description: String) {
        guard let position = Int64(description), position >= 0, String(position) == description else { return nil }
        self.position = position
    }

    /// The revision as text for clients.
    public var description: String { String(position) }

    /// Whether one revision is older than another.
    public static func < (left: Revision, right: Revision) -> Bool {
        left.position < right.position
    }
}

/// The layout of every number that a journal never uses twice: the generation above, a counter below.
///
/// The counter has room for 17 million million numbers, which is five years at 100,000 a second; beyond that it continues
/// into the next generation's numbers, and still no number is used twice.
package enum Generation {
    private static let counterBits = 44

    /// The largest generation that can be stored.
    package static let maximum = (1 << (62 - counterBits)) - 1

    /// The number before the first one of a generation.
    package static func floor(_ generation: Int) -> Int { generation << counterBits }

    /// The generation of a number.
    package static func of(_ number: Int) -> Int { number >> counterBits }

    /// A generation that a restore or an import at a time must exceed: the hours since the beginning of 2026, UTC.
    ///
    /// Both take data from elsewhere. What was made of the same data before may be lost, and with it the generation that it had. An
    /// hour later this one is above it. From 2054 on it is the same at all times, so that the last 2^14 generations remain for those
    /// that are counted.
    package static func elapsed(at time: WallTime) -> Int {
        let start: Int64 = 1_767_225_600_000
        let (difference, overflows) = time.milliseconds.subtractingReportingOverflow(start)
        guard !overflows, difference > 0 else { return 0 }
        return Int(min(difference / 3_600_000, Int64(maximum - (1 << 14))))
    }

    /// The generation that follows the current one and another. Fails with `unavailable` if it is too large.
    package static func next(after current: Int, above former: Int) throws(JournalError) -> Int {
        let next = max(current, former) + 1
        guard next <= maximum else { throw .unavailable("the generation is too large") }
        return next
    }
}
