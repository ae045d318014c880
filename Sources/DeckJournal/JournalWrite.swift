/// Changes that a journal wrote, or tried to write, together.
public struct JournalWrite: Sendable, Hashable {
    /// How many changes there were, at least one.
    public var changes: Int
    /// The time until the disk had stored or refused them.
    public var duration: Duration
    /// Whether they were saved; otherwise none of them was.
    public var isSaved: Bool

    /// Creates a report.
    public init(changes: Int, duration: Duration, isSaved: Bool) {
        self.changes = changes
        self.duration = duration
        self.isSaved = isSaved
    }
}
