import DeckJournal

/// The heads of sessions as the last transaction over a connection left them. They need not be read again as long as no other
/// transaction has written.
///
/// The tally tells: every transaction that writes locks it and counts itself in it. A new connection begins without heads,
/// because its server may be another, which has less than the former.
struct RecentHeads {
    /// One takes about 400 bytes.
    private static let maximumCount = 32_768

    private var heads: [String: Head] = [:]
    /// The tally's `writes` as the last transaction left it.
    private var writes = -1
    /// Whether no other transaction came between the last two of this connection. If one did, heads are read in the first
    /// round trip, because they would often have to be read again.
    private var isAlone = false

    /// The heads that need not be read, unless the tally says otherwise.
    func heads(of ids: Set<String>) -> [String: Head] {
        guard isAlone else { return [:] }
        return ids.reduce(into: [:]) { found, id in found[id] = heads[id] }
    }

    /// Compares the tally that a transaction has locked with that of the last one.
    ///
    /// - Returns: whether the heads are what the database has.
    mutating func check(_ tally: Tally) -> Bool {
        isAlone = tally.writes == writes
        if !isAlone { heads = [:] }
        return isAlone
    }

    /// Remembers what a transaction has committed.
    mutating func remember(_ changes: Changes) {
        for (id, var head) in changes.heads {
            head.state = nil
            heads[id] = head.hasEnded ? nil : head
        }
        if heads.count > Self.maximumCount { heads = [:] }
        writes = changes.tally.writes
    }
}
