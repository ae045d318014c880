// A deck's settings in a snapshot.

extension DeckSettings: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(loop)
        writer.write(layout)
        writer.write(rules)
        writer.write(motion)
        writer.write(appearance)
        writer.write(overlay)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init()
        loop = try reader.read()
        layout = try reader.read()
        rules = try reader.read()
        motion = try reader.read()
        appearance = try reader.read()
        overlay = try reader.read()
    }
}

extension Layout: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        switch self {
        case .stack(let stack):
            writer.byte(0)
            writer.write(stack.visibleCount)
            writer.write(stack.topMargin)
            writer.write(stack.scale)
            writer.write(stack.from)
        case .stretched(let stretched):
            writer.byte(1)
            writer.write(stretched.visibleCount)
            writer.write(stretched.topOffset)
            writer.write(stretched.horizontalOffset)
            writer.write(stretched.heightRatio)
            writer.write(stretched.backgroundScale)
            writer.write(stretched.backgroundMargin)
        case .flip(let flip):
            writer.byte(2)
            writer.write(flip.cardWidth)
            writer.write(flip.cardHeight)
            writer.write(flip.spacing)
            writer.write(flip.scaleStep)
            writer.write(flip.perspective)
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        switch try reader.byte() {
        case 0:
            var stack = StackLayout()
            stack.visibleCount = try reader.read()
            stack.topMargin = try reader.read()
            stack.scale = try reader.read()
            stack.from = try reader.read()
            self = .stack(stack)
        case 1:
            var stretched = StretchedLayout()
            stretched.visibleCount = try reader.read()
            stretched.topOffset = try reader.read()
            stretched.horizontalOffset = try reader.read()
            stretched.heightRatio = try reader.read()
            stretched.backgroundScale = try reader.read()
            stretched.backgroundMargin = try reader.read()
            self = .stretched(stretched)
        case 2:
            var flip = FlipLayout()
            flip.cardWidth = try reader.read()
            flip.cardHeight = try reader.read()
            flip.spacing = try reader.read()
            flip.scaleStep = try reader.read()
            flip.perspective = try reader.read()
            self = .flip(flip)
        default: throw .damaged
        }
        guard (1...EngineLimits.visibleCards).contains(visibleCount) else { throw .damaged }
    }
}

extension Rules: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(allowedDirections)
        writer.write(deniedDirections)
        writer.write(dragDirections)
        writer.write(dragAxis)
        writer.write(draggable)
        writer.write(swipeThreshold)
        writer.write(swipeThresholds)
        writer.write(velocityThreshold)
        writer.write(pullBackCancels)
        writer.write(whileAnimating)
        writer.write(refillAt)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init()
        allowedDirections = try reader.read()
        deniedDirections = try reader.read()
        dragDirections = try reader.read()
        dragAxis = try reader.read()
        draggable = try reader.read()
        swipeThreshold = try reader.read()
        swipeThresholds = try reader.read()
        velocityThreshold = try reader.read()
        pullBackCancels = try reader.read()
        whileAnimating = try reader.read()
        refillAt = try reader.read()
    }
}

extension MotionSettings: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(tracking)
        writer.write(rotationMax)
        writer.write(rotationAngle.value)
        writer.write(scaleMin)
        for duration in [dragSpeed, backgroundDuration, appearDuration, revertDuration] { writer.write(duration) }
        for duration in [revertFadeDuration, resetDuration] { writer.write(duration) }
        writer.write(appear)
        writer.write(resetSpring)
        writer.write(backgroundSpring)
        writer.write(snapSpring)
        writer.write(moveBackground)
        writer.write(exitFollowsFling)
        writer.write(reduced)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init()
        tracking = try reader.read()
        rotationMax = try reader.read()
        rotationAngle = Radians(try reader.read())
        scaleMin = try reader.read()
        dragSpeed = try reader.read()
        backgroundDuration = try reader.read()
        appearDuration = try reader.read()
        revertDuration = try reader.read()
        revertFadeDuration = try reader.read()
        resetDuration = try reader.read()
        appear = try reader.read()
        resetSpring = try reader.read()
        backgroundSpring = try reader.read()
        snapSpring = try reader.read()
        moveBackground = try reader.read()
        exitFollowsFling = try reader.read()
        reduced = try reader.read()
    }
}

extension Appearance: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(opaque)
        writer.write(semiTransparent)
        writer.write(transparent)
        writer.write(fadeNext)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init()
        opaque = try reader.read()
        semiTransparent = try reader.read()
        transparent = try reader.read()
        fadeNext = try reader.read()
    }
}

extension OverlaySettings: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(range)
        writer.write(directions)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init()
        range = try reader.read()
        directions = try reader.read()
    }
}

extension OverlayRange: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(start)
        writer.write(end)
        writer.write(curve)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init()
        start = try reader.read()
        end = try reader.read()
        curve = try reader.read()
    }
}
