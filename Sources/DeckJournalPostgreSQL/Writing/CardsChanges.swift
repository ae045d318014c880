import DeckJournal

/// The changes of the cards of sessions, by the sessions' numbers.
struct CardsChanges {
    private struct Change {
        var isReplaced = false
        var base: [UInt8]?
        var edits: [(position: Int, bytes: [UInt8])] = []
    }

    private var changes: [Int: Change] = [:]

    mutating func change(_ change: CardsChange, of head: Head) {
        switch change {
        case .unchanged: break
        case .edited(let edit): changes[head.number, default: Change()].edits.append((head.position, edit))
        case .replaced(let base): changes[head.number] = Change(isReplaced: true, base: base)
        }
    }

    var statements: [Statement] {
        var bases = Batch(.cards)
        var edits = Batch(.cardsEdit)
        var replaced: [Int] = []
        for (session, change) in changes {
            if change.isReplaced { replaced.append(session) }
            if let base = change.base {
                bases.add(session)
                bases.add(base)
                bases.endRow()
            }
            for edit in change.edits {
                edits.add(session, edit.position)
                edits.add(edit.bytes)
                edits.endRow()
            }
        }
        var statements: [Statement] = []
        if !replaced.isEmpty {
            for table in ["session_cards", "cards_edit"] {
                let sql = "DELETE FROM \(table) WHERE session = ANY($1::bigint[])"
                statements.append(Statement(sql, [.integers(replaced)]))
            }
        }
        if !bases.isEmpty { statements.append(bases.insertion) }
        if !edits.isEmpty { statements.append(edits.insertion) }
        return statements
    }
}

extension RowLayout {
    fileprivate static let cards = RowLayout("session_cards", [("session", .integer), ("bytes", .bytes)])
    fileprivate static let cardsEdit = RowLayout(
        "cards_edit",
        [("session", .integer), ("position", .integer), ("bytes", .bytes)]
    )
}
