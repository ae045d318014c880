// What moves, in a snapshot.

extension Easing: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        switch self {
        case .linear: writer.byte(0)
        case .ease: writer.byte(1)
        case .spring(let spring):
            writer.byte(2)
            writer.write(spring.tension)
            writer.write(spring.friction)
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        switch try reader.byte() {
        case 0: self = .linear
        case 1: self = .ease
        case 2: self = .spring(Spring(tension: try reader.read(), friction: try reader.read()))
        default: throw .damaged
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
        writer.write(easing)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        let moves = try reader.read(Bool.self)
        self.init(still: try reader.read())
        guard moves else { return }
        from = try reader.read()
        start = try reader.read()
        duration = try reader.read()
        easing = try reader.read()
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
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(restingIn: .zero, opacity: 0)
        rect = try reader.read()
        translation = try reader.read()
        rotation = try reader.read()
        scale = try reader.read()
        anchor = try reader.read()
        opacity = try reader.read()
        overlayDirection = try reader.read()
        overlayProgress = try reader.read()
    }
}

extension PlacedCard: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(index)
        writer.write(motion)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(index: try reader.read(), motion: try reader.read())
    }
}

extension LeavingCard: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(index)
        writer.write(id)
        writer.write(allowedDirections)
        writer.write(motion)
        writer.write(appear)
        writer.write(isSwipedByCall)
        writer.write(end)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            index: try reader.read(),
            id: try reader.read(),
            allowedDirections: try reader.read(),
            motion: try reader.read(),
            appear: try reader.read(),
            isSwipedByCall: try reader.read(),
            end: try reader.read()
        )
    }
}

extension AppearAnimation: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(scale)
        writer.write(opacity)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(start: .zero, motion: MotionSettings())
        scale = try reader.read()
        opacity = try reader.read()
    }
}

extension Drag: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(translation)
        writer.write(location)
        writer.write(pastThreshold)
        writer.write(samples)
        writer.write(startPosition)
        writer.write(startPlace)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(translation: try reader.read(), location: try reader.read())
        pastThreshold = try reader.read()
        samples = try reader.read()
        startPosition = try reader.read()
        startPlace = try reader.read()
    }
}

extension Nudge: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(direction)
        writer.write(start)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(direction: try reader.read(), start: try reader.read())
    }
}
