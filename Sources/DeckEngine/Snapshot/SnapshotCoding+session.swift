// The pile, the stage and the commands in a snapshot.

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

/// A history takes about half a byte for each swipe of a deck that is swiped in order.
///
/// A swipe is regular if its card and its verdict have the numbers after those of the swipe before. A byte stands for up to
/// sixteen regular swipes in the same direction: the direction in the lowest three bits, how often it is repeated in the
/// next four. The highest bit marks a swipe that is not regular, whose two numbers follow as differences.
extension History: Snapshotted {
    private static let mostRepeats = 15

    func write(to writer: inout SnapshotWriter) {
        writer.unsigned(UInt64(count))
        var former = PastSwipe(card: CardIdentity(0), direction: .left, verdict: 0)
        var rest = all
        while let swipe = rest.popFirst() {
            let (card, verdict) = Self.steps(from: former, to: swipe)
            former = swipe
            guard card == 1, verdict == 1 else {
                writer.byte(0x80 | swipe.direction.rawValue)
                writer.write(card)
                writer.write(verdict)
                continue
            }
            var repeats: UInt8 = 0
            while repeats < Self.mostRepeats, let next = rest.first, next.direction == swipe.direction,
                Self.steps(from: former, to: next) == (1, 1)
            {
                former = next
                rest.removeFirst()
                repeats += 1
            }
            writer.byte(repeats << 3 | swipe.direction.rawValue)
        }
    }

    private static func steps(from former: PastSwipe, to swipe: PastSwipe) -> (card: Int, verdict: Int) {
        (Int(swipe.card.number) - Int(former.card.number), swipe.verdict - former.verdict)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init()
        guard reader.format != .first else {
            for swipe in try reader.read([PastSwipe].self) { append(swipe) }
            return
        }
        let count = try reader.unsigned()
        guard count <= UInt64(EngineLimits.historyDepth) else { throw .damaged }
        var former = PastSwipe(card: CardIdentity(0), direction: .left, verdict: 0)
        while self.count < Int(count) {
            let byte = try reader.byte()
            guard let direction = Direction(rawValue: byte & 0x7) else { throw .damaged }
            let isRegular = byte & 0x80 == 0
            let card = isRegular ? 1 : try reader.read(Int.self)
            let verdict = isRegular ? 1 : try reader.read(Int.self)
            for _ in 0...(isRegular ? Int(byte >> 3) : 0) {
                let (number, isTooLarge) = Int(former.card.number).addingReportingOverflow(card)
                let (sequence, overflows) = former.verdict.addingReportingOverflow(verdict)
                guard !isTooLarge, !overflows, let identity = UInt32(exactly: number), sequence >= 0 else {
                    throw .damaged
                }
                former = PastSwipe(card: CardIdentity(identity), direction: direction, verdict: sequence)
                append(former)
            }
        }
        guard self.count == Int(count) else { throw .damaged }
    }
}

extension Scheduled: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(time)
        switch effect {
        case .arrived(let swiped, let direction, let isRedo, let loops):
            writer.byte(0)
            writer.write(swiped)
            writer.write(direction)
            writer.write(isRedo)
            writer.write(loops)
        case .rewound(let loops):
            writer.byte(1)
            writer.write(loops)
        case .shown(let loops):
            writer.byte(2)
            writer.write(loops)
        case .appeared: writer.byte(3)
        case .confirmTimeout: writer.byte(4)
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        let time = try reader.read(Instant.self)
        let isFirst = reader.format == .first
        switch try reader.byte() {
        case 0:
            let effect = Effect.arrived(
                swiped: try reader.read(),
                try reader.read(),
                isRedo: try reader.read(),
                loops: try reader.read()
            )
            self.init(time: time, effect: effect)
        case 1: self.init(time: time, effect: .rewound(loops: isFirst ? false : try reader.read()))
        case 2: self.init(time: time, effect: .shown(loops: isFirst ? false : try reader.read()))
        case 3: self.init(time: time, effect: .appeared)
        case 4: self.init(time: time, effect: .confirmTimeout)
        default: throw .damaged
        }
    }
}

extension QueuedCommand: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(acceptedAt)
        writer.write(command)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        let acceptedAt = try reader.read(Instant.self)
        self.init(command: try reader.read(), acceptedAt: acceptedAt)
    }
}

extension Command: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        switch self {
        case .swipe(let direction, let force, let options):
            writer.byte(0)
            writer.write(direction)
            writer.write(force)
            writer.write(options)
        case .revert(let style, let count):
            writer.byte(1)
            writer.write(style)
            writer.write(count)
        case .redo(let count):
            writer.byte(2)
            writer.write(count)
        case .move(let index):
            writer.byte(3)
            writer.write(index)
        case .sendToBack: writer.byte(4)
        case .putBack: writer.byte(5)
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        switch try reader.byte() {
        case 0:
            let (direction, force) = (try reader.read(Direction.self), try reader.read(Bool.self))
            let options = reader.format == .first ? SwipeOptions() : try reader.read()
            self = .swipe(direction, force: force, options)
        case 1: self = .revert(try reader.read(), count: try reader.read())
        case 2: self = .redo(count: try reader.read())
        case 3: self = .move(to: try reader.read())
        case 4: self = .sendToBack
        case 5: self = .putBack
        default: throw .damaged
        }
    }
}

extension SwipeOptions: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(duration)
        writer.write(easing)
        writer.write(toward)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(duration: try reader.read(), easing: try reader.read(), toward: try reader.read())
        guard duration ?? .zero >= .zero, toward != .zero else { throw .damaged }
    }
}

extension RevertStyle: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        switch self {
        case .fade: writer.byte(0)
        case .from(let direction):
            writer.byte(1)
            writer.write(direction)
        case .origin: writer.byte(2)
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        switch try reader.byte() {
        case 0: self = .fade
        case 1: self = .from(try reader.read())
        case 2: self = .origin
        default: throw .damaged
        }
    }
}

extension Finger: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(card)
        writer.write(translation)
        writer.write(location)
        writer.write(pastThreshold)
        writer.write(startOffset)
        writer.write(startNumber)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(card: try reader.read(), translation: try reader.read(), location: try reader.read())
        pastThreshold = try reader.read()
        startOffset = try reader.read()
        startNumber = try reader.read()
        guard Carousel.Bounds.contains(Double(startNumber)) else { throw .damaged }
    }
}

extension SwipeCause: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        switch self {
        case .byHand(let velocity):
            writer.byte(0)
            writer.write(velocity)
        case .byCall(let options):
            writer.byte(1)
            writer.write(options)
        case .redo: writer.byte(2)
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        switch try reader.byte() {
        case 0: self = .byHand(velocity: try reader.read())
        case 1: self = .byCall(try reader.read())
        case 2: self = .redo
        default: throw .damaged
        }
    }
}
