import DeckJournal

/// The heads of sessions as the last transaction over a connection left them. They need not be read again as long as no other
/// transaction has written.
///
/// The tally shows it: every transaction that writes locks it and counts itself in it. A new connection begins without heads,
/// because its server may be another, which has less than the former.
struct RecentHeads {
    /// One takes about 400 bytes.
    private static let maximumCount = 32_768

    private var heads = Heads()
    /// The tally's `writes` as the last transaction left it.
    private var writes = -1
    /// Whether no other transaction came between the last two of this connection. If one did, heads are read in the first
    /// round trip, because they would often have to be read again.
    private(set) var isAlone = false

    /// Takes the heads for a transaction, which puts them back at its end.
    mutating func take() -> Heads {
        defer { heads = Heads() }
        return heads
    }

    /// Compares the tally that a transaction has locked with that of the last one.
    ///
    /// - Returns: whether the database has the same heads.
    mutating func check(_ tally: Tally) -> Bool {
        isAlone = tally.writes == writes
        return isAlone
    }

    /// Puts back the heads as a transaction left them.
    ///
    /// - Parameter tally: as the transaction left it.
    mutating func put(_ heads: consuming Heads, _ tally: Tally) {
        heads.settle()
        self.heads = heads.count > Self.maximumCount ? Heads() : heads
        writes = tally.writes
    }
}
