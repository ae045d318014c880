// Strings, cards and verdicts in a snapshot.

extension SnapshotWriter {
    /// A string in UTF-8, preceded by its length.
    mutating func text(_ value: String) {
        var value = value
        value.withUTF8 { text in
            unsigned(UInt64(text.count))
            raw(text)
        }
    }
}

extension String: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.text(self)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        let count = try reader.count()
        guard let text = String(validating: try reader.take(count), as: UTF8.self) else { throw .damaged }
        self = text
    }
}

extension Card: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(id)
        writer.write(data)
        writer.write(label)
        writer.write(allowedDirections)
        writer.write(deniedDirections)
        writer.write(dragDirections)
        writer.write(draggable)
        writer.write(undoable)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(id: try reader.read())
        data = try reader.read()
        label = try reader.read()
        allowedDirections = try reader.read()
        deniedDirections = try reader.read()
        dragDirections = try reader.read()
        draggable = try reader.read()
        undoable = try reader.read()
    }
}

extension CardList: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        switch self {
        case .numbered(let count):
            writer.byte(0)
            writer.write(count)
        case .listed(let cards):
            writer.byte(1)
            writer.write(cards)
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        switch try reader.byte() {
        case 0:
            let count = try reader.read(Int.self)
            guard (0...EngineLimits.cards).contains(count) else { throw .damaged }
            self = .numbered(count)
        case 1: self = .listed(try reader.read())
        default: throw .damaged
        }
    }
}

extension Verdict: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(sequence)
        writer.write(at)
        writer.write(index)
        writer.write(cardID)
        writer.write(direction)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            sequence: try reader.read(),
            at: try reader.read(),
            index: try reader.read(),
            cardID: try reader.read(),
            direction: try reader.read()
        )
    }
}

extension VerdictChange: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        switch self {
        case .given(let verdict):
            writer.byte(0)
            writer.write(verdict)
        case .reverted(let verdict):
            writer.byte(1)
            writer.write(verdict)
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        switch try reader.byte() {
        case 0: self = .given(try reader.read())
        case 1: self = .reverted(try reader.read())
        default: throw .damaged
        }
    }
}

extension PastSwipe: Snapshotted {
    /// Reads the first format: the card and the whole verdict.
    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        let card = try reader.read(CardIdentity.self)
        let verdict = try reader.read(Verdict.self)
        self.init(card: card, direction: verdict.direction, verdict: verdict.sequence)
    }

    func write(to writer: inout SnapshotWriter) {
        writer.write(card)
        writer.write(direction)
        writer.write(verdict)
    }
}

extension Counters: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(version)
        writer.write(notification)
        writer.write(verdict)
        writer.write(lastVerdictChange)
        writer.write(lastVerdictCard)
        writer.write(lastShown)
        writer.write(hasAskedForCards)
        writer.write(lastSupply)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        version = try reader.read()
        notification = try reader.read()
        verdict = try reader.read()
        lastVerdictChange = try reader.read()
        lastVerdictCard = try reader.read()
        lastShown = try reader.read()
        hasAskedForCards = try reader.read()
        lastSupply = try reader.read()
    }
}
