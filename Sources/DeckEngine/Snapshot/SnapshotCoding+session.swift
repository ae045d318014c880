// The timeline and the commands in a snapshot.

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

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
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
        default:
            try reader.fail()
            self.init(time: time, effect: .appeared)
        }
    }
}

extension QueuedCommand: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(acceptedAt)
        writer.write(command)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
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

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
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
        default:
            try reader.fail()
            self = .putBack
        }
    }
}

extension SwipeOptions: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(duration)
        writer.write(easing)
        writer.write(toward)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        self.init(duration: try reader.read(), easing: try reader.read(), toward: try reader.read())
        try reader.require(duration ?? .zero >= .zero && toward != .zero)
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

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        switch try reader.byte() {
        case 0: self = .fade
        case 1: self = .from(try reader.read())
        case 2: self = .origin
        default:
            try reader.fail()
            self = .fade
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

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        self.init(card: try reader.read(), translation: try reader.read(), location: try reader.read())
        pastThreshold = try reader.read()
        startOffset = try reader.read()
        startNumber = try reader.read()
        try reader.require(Carousel.Bounds.contains(Double(startNumber)))
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

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        switch try reader.byte() {
        case 0: self = .byHand(velocity: try reader.read())
        case 1: self = .byCall(try reader.read())
        case 2: self = .redo
        default:
            try reader.fail()
            self = .redo
        }
    }
}
