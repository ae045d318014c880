/// A change of the cards. Applied to the same cards it always has the same result, so it can be stored in place of them.
enum CardEdit: Sendable {
    case insert(CardList, at: Int)
    case remove(Range<Int>)
    case move(from: Int, to: Int)
    /// Shuffles the cards from an index on.
    case shuffle(from: Int, seed: UInt64)
    /// Replaces the contents of cards by those of other cards with the same ids.
    case refresh(Range<Int>, from: CardList)
}

extension CardTable {
    /// Applies an edit that is not refused.
    mutating func apply(_ edit: CardEdit) {
        switch edit {
        case .insert(let cards, let index): insert(cards, at: index)
        case .remove(let range): remove(range)
        case .move(let index, let target): move(from: index, to: target)
        case .shuffle(let start, let seed): shuffle(from: start, seed: seed)
        case .refresh(let range, let other): refresh(range, from: other)
        }
    }

    /// Whether an edit can be applied.
    func allows(_ edit: CardEdit) -> Bool {
        switch edit {
        case .insert(let cards, let index):
            canInsert(cards.count, at: index) || refusal(inserting: cards, at: index) == nil
        case .remove(let range), .refresh(let range, _): range.upperBound <= count && isRearrangeable
        case .move(let index, let target): index < count && target < count && isRearrangeable
        case .shuffle(let start, _): start <= count && isRearrangeable
        }
    }
}

/// The edits of the cards since they were saved.
///
/// How cards came to be as they are is no part of a session's state: values of this type are always equal.
struct UnsavedEdits: Sendable, Hashable {
    /// The maximum number of edits. With more, the cards are saved as a whole.
    private static let maximumCount = 1000

    /// Nil: the cards must be saved as a whole.
    private var edits: [CardEdit]? = []

    mutating func append(_ edit: CardEdit) {
        guard let count = edits?.count, count < Self.maximumCount else { return saveWhole() }
        edits?.append(edit)
    }

    /// The cards were replaced.
    mutating func saveWhole() {
        edits = nil
    }

    /// Whether the cards are saved.
    var isEmpty: Bool { edits?.isEmpty ?? false }

    /// Takes the edits, and counts the cards as saved. nil: the cards must be saved as a whole.
    mutating func take() -> [CardEdit]? {
        defer { edits = [] }
        return edits
    }

    static func == (left: UnsavedEdits, right: UnsavedEdits) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}
