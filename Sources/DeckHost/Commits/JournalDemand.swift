/// The resources of the journal that a change can need.
struct JournalDemand {
    /// Whether the change can need a commit, apart from a commit that only reserves numbers.
    var mayCommit = true
    /// About how many bytes the entry has beside the session's state.
    var bytes = 1024
    /// How many events the change applies.
    var eventCount = 1
}
