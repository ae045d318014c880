import DeckJournal

/// The changes of the cards of sessions, by the sessions' numbers.
struct CardsChanges {
    private struct Change {
        /// The hash of the new base; nil: it is not replaced.
        var base: [UInt8]?
        var edits: [(position: Int, bytes: [UInt8])] = []
    }

    private var changes: [Int: Change] = [:]

    mutating func change(_ change: CardsChange, of head: Head) {
        switch change {
        case .unchanged: break
        case .edited(let edit): changes[head.number, default: Change()].edits.append((head.position, edit))
        case .replaced(let base): changes[head.number] = Change(base: base.hash)
        }
    }

    var statements: [Statement] {
        var bases = Batch(.base)
        var edits = Batch(.cardsEdit)
        var replaced: [Int] = []
        for (session, change) in changes {
            if let base = change.base {
                replaced.append(session)
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
            // A session of an earlier format has a base that is not shared.
            for table in ["session_cards", "cards_edit"] {
                let sql = "DELETE FROM \(table) WHERE session = ANY($1::bigint[])"
                statements.append(Statement(sql, [.integers(replaced)]))
            }
            statements.append(bases.baseUpdate)
        }
        return statements + [edits].insertions
    }
}

extension Batch {
    /// Gives sessions the bases of rows with the layout ``RowLayout/base``.
    var baseUpdate: Statement {
        let condition = "session.number = new.number"
        let sql = "UPDATE session SET cards_base = new.cards_base FROM \(layout.source) WHERE \(condition)"
        return Statement(sql, values)
    }
}

extension RowLayout {
    static let base = RowLayout("session", [("number", .integer), ("cards_base", .bytes)])
    fileprivate static let cardsEdit = RowLayout(
        "cards_edit",
        [("session", .integer), ("position", .integer), ("bytes", .bytes)]
    )
}
