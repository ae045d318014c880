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
