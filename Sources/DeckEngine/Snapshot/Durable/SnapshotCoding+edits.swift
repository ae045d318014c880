// Edits of cards in a snapshot.

extension CardEdit: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        switch self {
        case .insert(let cards, let index):
            writer.byte(0)
            writer.write(cards)
            writer.write(index)
        case .remove(let range):
            writer.byte(1)
            writer.write(range)
        case .move(let index, let target):
            writer.byte(2)
            writer.write(index)
            writer.write(target)
        case .shuffle(let start, let seed):
            writer.byte(3)
            writer.write(start)
            writer.unsigned(seed)
        case .refresh(let range, let cards):
            writer.byte(4)
            writer.write(range)
            writer.write(cards)
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        switch try reader.byte() {
        case 0:
            let cards = try reader.read(CardList.self)
            self = .insert(cards, at: try reader.index())
        case 1: self = .remove(try reader.range())
        case 2:
            let index = try reader.index()
            self = .move(from: index, to: try reader.index())
        case 3:
            let start = try reader.index()
            self = .shuffle(from: start, seed: try reader.unsigned())
        case 4:
            let range = try reader.range()
            self = .refresh(range, from: try reader.read())
        default: throw .damaged
        }
    }
}

extension SnapshotWriter {
    fileprivate mutating func write(_ range: Range<Int>) {
        write(range.lowerBound)
        write(range.upperBound)
    }
}

extension SnapshotReader {
    fileprivate mutating func index() throws(SnapshotError) -> Int {
        let index = try read(Int.self)
        guard (0...EngineLimits.cards).contains(index) else { throw .damaged }
        return index
    }

    fileprivate mutating func range() throws(SnapshotError) -> Range<Int> {
        let (start, end) = (try index(), try index())
        guard start <= end else { throw .damaged }
        return start..<end
    }
}

extension CardTable {
    /// Restores cards from a snapshot and the edits since then.
    ///
    /// - Throws: an error that says why the bytes cannot be read.
    init(snapshot bytes: [UInt8], edits: [[UInt8]]) throws(SnapshotError) {
        try self.init(snapshot: bytes)
        for bytes in edits {
            var reader = try SnapshotReader(formatted: bytes[...])
            for edit in try reader.read([CardEdit].self) {
                guard allows(edit) else { throw .damaged }
                apply(edit)
            }
            try reader.requireEnd()
        }
    }
}

/// The part of the cards that is not saved.
public enum UnsavedCards: Sendable, Hashable {
    /// Nothing.
    case none
    /// The bytes of edits, which `DeckSession.init(snapshot:cards:edits:)` applies to the cards before.
    case edits([UInt8])
    /// Everything.
    case all
}

extension Pile {
    /// Takes the unsaved part of the cards, and counts them as saved.
    mutating func takeUnsavedCards() -> UnsavedCards {
        guard let edits = takeEdits() else { return .all }
        guard !edits.isEmpty else { return .none }
        var writer = SnapshotWriter.formatted()
        writer.write(edits)
        return .edits(writer.bytes)
    }
}
