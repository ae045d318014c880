import DeckJournal

/// The heads of sessions: as a transaction has read them, and then as its changes left them.
///
/// A session's place stays the same as long as the heads exist, so that a change looks for the id once.
struct Heads {
    private struct Entry {
        var head: Head
        /// Whether this transaction has created the session.
        var isNew = false
        /// Whether this transaction has changed the head.
        var isChanged = false
        /// Whether other nodes must hear of the change.
        var isNews = false
    }

    private var places: [String: Int] = [:]
    private var entries: [Entry] = []
    /// The places of the heads that this transaction has created or changed, in order.
    private var changes: [Int] = []

    /// How many heads there are.
    var count: Int { entries.count }

    func place(of id: String) -> Int? { places[id] }

    subscript(id: String) -> Head? { places[id].map { entries[$0].head } }

    /// A head. A change of it must be marked.
    subscript(place place: Int) -> Head {
        @inline(__always) _read { yield entries[place].head }
        @inline(__always) _modify { yield &entries[place].head }
    }

    /// Adds a head that was read.
    mutating func add(_ head: Head) {
        if let place = places[head.id] { return entries[place].head = head }
        places[head.id] = entries.count
        entries.append(Entry(head: head))
    }

    /// Adds the head of a session that is created.
    mutating func create(_ head: Head) {
        add(head)
        guard let place = places[head.id] else { return }
        changes.append(place)
        entries[place].isNew = true
    }

    /// Marks a head as changed.
    mutating func markChanged(_ place: Int, isNews: Bool) {
        if !entries[place].isNew, !entries[place].isChanged { changes.append(place) }
        entries[place].isChanged = true
        if isNews { entries[place].isNews = true }
    }

    /// The rows of the sessions that were created.
    var newRows: Batch { rows { $0.isNew } }

    /// The rows of the sessions that existed before, and were changed.
    var changedRows: Batch { rows { !$0.isNew } }

    private func rows(where isIncluded: (Entry) -> Bool) -> Batch {
        var rows = Batch(.head)
        for place in changes where isIncluded(entries[place]) { entries[place].head.append(to: &rows) }
        return rows
    }

    /// What other nodes must hear.
    var news: [JournalNews] {
        changes.lazy.filter { entries[$0].isNews }.map { place in
            let head = entries[place].head
            return head.hasEnded ? .ended(session: head.id) : .changed(session: head.id, to: head.revision)
        }
    }

    /// Counts the changes as made. The states and the sessions that have ended are forgotten.
    mutating func settle() {
        for place in changes {
            if entries[place].head.hasEnded { places[entries[place].head.id] = nil }
            entries[place].head.state = nil
            entries[place].isNew = false
            entries[place].isChanged = false
            entries[place].isNews = false
        }
        changes = []
    }
}
