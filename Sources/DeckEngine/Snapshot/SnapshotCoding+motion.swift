// Motion in a snapshot.

extension Curve: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        switch self {
        case .linear: writer.byte(0)
        case .ease: writer.byte(1)
        case .spring(let spring):
            writer.byte(2)
            writer.write(spring.tension)
            writer.write(spring.friction)
        case .easeIn: writer.byte(3)
        case .easeOut: writer.byte(4)
        case .easeInOut: writer.byte(5)
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        switch try reader.byte() {
        case 0: self = .linear
        case 1: self = .ease
        case 2:
            let spring = Spring(tension: try reader.read(), friction: try reader.read())
            try reader.require(spring.tension > 0 && spring.friction > 0)
            self = .spring(spring)
        case 3: self = .easeIn
        case 4: self = .easeOut
        case 5: self = .easeInOut
        default:
            try reader.fail()
            self = .linear
        }
    }
}

extension Track: Snapshotted where Value: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        let moves = duration > .zero
        writer.write(moves)
        writer.write(to)
        guard moves else { return }
        writer.write(from)
        writer.write(start)
        writer.write(duration)
        writer.write(curve)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        let moves = try reader.read(Bool.self)
        let target = try reader.read(Value.self)
        guard moves else {
            self.init(still: target)
            return
        }
        let (from, start) = (try reader.read(Value.self), try reader.read(Instant.self))
        let duration = try reader.read(Milliseconds.self)
        try reader.require(duration >= .zero && start.milliseconds.magnitude <= 2 * Instant.last.milliseconds)
        self.init(from: from, to: target, start: start, duration: duration, curve: try reader.read())
    }
}

extension CardMotion: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(rect)
        writer.write(translation)
        writer.write(rotation)
        writer.write(scale)
        writer.write(anchor)
        writer.write(opacity)
        writer.write(overlayDirection)
        writer.write(overlayProgress)
        writer.write(turn)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        self.init(restingIn: .zero, opacity: 0)
        rect = try reader.read()
        translation = try reader.read()
        rotation = try reader.read()
        scale = try reader.read()
        anchor = try reader.read()
        opacity = try reader.read()
        overlayDirection = try reader.read()
        overlayProgress = try reader.read()
        if reader.format != .first { turn = try reader.read() }
    }
}

extension CardIdentity: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.unsigned(UInt64(number))
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        // The first format has the card's index as a signed number. Its lists of cards are read in order, where the
        // identity is the index.
        let number = reader.format == .first ? UInt64(exactly: try reader.read(Int.self)) : try reader.unsigned()
        let identity = number.flatMap { UInt32(exactly: $0) }
        try reader.require(identity != nil)
        self.init(identity ?? 0)
    }
}

extension PlacedCard: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(card)
        writer.write(motion)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        self.init(card: try reader.read(), motion: try reader.read())
    }
}

extension LeavingCard: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(card)
        writer.write(lastIndex)
        departure.write(to: &writer)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        let card = try reader.read(CardIdentity.self)
        self.init(
            card: card,
            lastIndex: reader.format == .first ? Int(card.number) : try reader.read(),
            departure: try Departure(of: card, from: &reader)
        )
        try reader.require(lastIndex >= 0)
    }
}

extension Departure {
    func write(to writer: inout SnapshotWriter) {
        #if !hasFeature(Embedded)
        if !writer.isForClients { writer.write(id) }
        #endif
        writer.write(allowedDirections)
        writer.write(motion)
        writer.write(appear)
        writer.byte(exit.rawValue)
        writer.write(end)
    }

    convenience init(of card: CardIdentity, from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        self.init(
            id: try reader.cardID(of: card),
            allowedDirections: try reader.read(),
            motion: try reader.read(),
            appear: try reader.read(),
            exit: try reader.exit(),
            end: try reader.read()
        )
    }
}

extension SnapshotReader {
    fileprivate mutating func exit() throws(Failure) -> Exit {
        guard let exit = Exit(rawValue: try byte()) else {
            try fail()
            return .above
        }
        return exit
    }
}

extension Nudge: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(direction)
        writer.write(start)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        self.init(direction: try reader.read(), start: try reader.read())
    }
}
