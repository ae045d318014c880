/// The resources that a change can need.
struct ChangeDemand {
    /// Whether the change can need a commit, apart from a commit that only reserves numbers.
    var mayCommit = true
    /// About how many bytes the entry has beside the session's state.
    var bytes = 1024
    /// Whether the change is made to a copy of the session, which stays as it is. Such a change never needs a commit.
    var isDryRun = false
    /// How many events the change applies.
    var eventCount = 1
    /// Whether the change takes so long that it is made on the pool.
    var isLarge = false
}
