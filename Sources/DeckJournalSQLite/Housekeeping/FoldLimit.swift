/// What may be left in the tables that are only appended to, before a run of the fold begins.
///
/// A run writes the row of each session that has changed, and its part of the indexes. If many sessions have changed, it begins
/// later, so that it writes one row for several entries.
struct FoldLimit {
    var entries: Int
    /// The bytes of the states of all entries.
    var bytes: Int
    /// The verdicts and the answers without an index entry.
    var verdicts = 65_536
    var answers = 16_384

    private static let entriesPerSession = 8
    private static let largestFactor = 4

    /// The limit if this many sessions have changed since the last run.
    func scaled(forSessions count: Int) -> FoldLimit {
        let factor = min(max(1, Self.entriesPerSession * count / max(1, entries)), Self.largestFactor)
        return FoldLimit(
            entries: factor * entries,
            bytes: factor * bytes,
            verdicts: factor * verdicts,
            answers: factor * answers
        )
    }
}
