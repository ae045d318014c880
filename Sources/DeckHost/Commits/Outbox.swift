internal import DeckJournal

/// The records of a session on their way to the journal. One thread at a time hands them over, in order. It holds no
/// lock while it does.
struct Outbox: Sendable {
    /// A record, with the values that are needed when it is committed.
    struct Item: Sendable {
        /// The number of the commit.
        var commit: Int
        /// The session as the record has it.
        var state: HostedSession.State
        var record: SessionRecord
        /// The version that the record follows.
        var formerVersion: Int
    }

    private var items: [Item] = []
    private var isTaken = false

    /// Adds a record.
    ///
    /// - Returns: whether the caller must hand over the records; false if another thread does.
    mutating func append(_ item: Item) -> Bool {
        items.append(item)
        defer { isTaken = true }
        return !isTaken
    }

    /// Takes the next record; nil: there is none, and the caller is done.
    mutating func next() -> Item? {
        isTaken = !items.isEmpty
        return items.isEmpty ? nil : items.removeFirst()
    }

    /// Drops all records: one before them could not be committed.
    mutating func clear() {
        items = []
    }
}
