// What waits and what is remembered, in a snapshot.

extension Scheduled: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(time)
        switch effect {
        case .arrived(let swiped, let direction, let isRedo, let looped):
            writer.byte(0)
            writer.write(swiped)
            writer.write(direction)
            writer.write(isRedo)
            writer.write(looped)
        case .rewound: writer.byte(1)
        case .shown: writer.byte(2)
        case .appeared: writer.byte(3)
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        let time = try reader.read(Instant.self)
        switch try reader.byte() {
        case 0:
            let effect = Effect.arrived(
                swiped: try reader.read(),
                try reader.read(),
                isRedo: try reader.read(),
                looped: try reader.read()
            )
            self.init(time: time, effect: effect)
        case 1: self.init(time: time, effect: .rewound)
        case 2: self.init(time: time, effect: .shown)
        case 3: self.init(time: time, effect: .appeared)
        default: throw .damaged
        }
    }
}

extension WaitingCommand: Snapshotted {
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
        case .swipe(let direction, let force):
            writer.byte(0)
            writer.write(direction)
            writer.write(force)
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
        case 0: self = .swipe(try reader.read(), force: try reader.read())
        case 1: self = .revert(try reader.read(), count: try reader.read())
        case 2: self = .redo(count: try reader.read())
        case 3: self = .move(to: try reader.read())
        case 4: self = .sendToBack
        case 5: self = .putBack
        default: throw .damaged
        }
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

extension PastSwipe: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(index)
        writer.write(verdict)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(index: try reader.read(), verdict: try reader.read())
    }
}

extension History: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        let kept = suffix(count)
        writer.unsigned(UInt64(kept.count))
        for swipe in kept.reversed() { writer.write(swipe) }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init()
        for swipe in try reader.read([PastSwipe].self) { append(swipe) }
    }
}
