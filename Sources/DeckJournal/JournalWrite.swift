/// Changes that a journal wrote, or tried to write, together.
public struct JournalWrite: Sendable, Hashable {
    /// How many changes there were, at least one.
    public var changes: Int
    /// How long it took until the disk had them, or had refused them.
    public var duration: Duration
    /// Whether they were kept; otherwise none of them was.
    public var isKept: Bool

    /// Creates a report.
    public init(changes: Int, duration: Duration, isKept: Bool) {
        self.changes = changes
        self.duration = duration
        self.isKept = isKept
    }
}
