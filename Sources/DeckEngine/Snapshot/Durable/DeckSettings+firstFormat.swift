// A deck's settings in the first format: all of them, in a fixed order.

extension DeckSettings {
    init(firstFormat reader: inout SnapshotReader) throws(SnapshotError) {
        self.init()
        loop = try reader.read()
        layout = try Layout(firstFormat: &reader)
        rules = try Rules(firstFormat: &reader)
        motion = try MotionSettings(firstFormat: &reader)
        appearance = try Appearance(firstFormat: &reader)
        overlay.range = try reader.read()
        overlay.directions = try reader.read()
        try checkRanges()
    }

    /// - Throws: `damaged` if a setting is out of its range, because the second format could not be read back with it.
    private func checkRanges() throws(SnapshotError) {
        var writer = SnapshotWriter()
        writer.write(self)
        var reader = SnapshotReader(writer.bytes[...], format: .second)
        guard try reader.read(DeckSettings.self) == self else { throw .damaged }
    }
}

extension Layout {
    fileprivate init(firstFormat reader: inout SnapshotReader) throws(SnapshotError) {
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
    }
}

extension Rules {
    fileprivate init(firstFormat reader: inout SnapshotReader) throws(SnapshotError) {
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

extension MotionSettings {
    fileprivate init(firstFormat reader: inout SnapshotReader) throws(SnapshotError) {
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
        resetSpring = try reader.read(SpringSettings.self)
        backgroundSpring = try reader.read()
        snapSpring = try reader.read()
        moveBackground = try reader.read()
        exitFollowsFling = try reader.read()
        reduced = try reader.read()
    }
}

extension Appearance {
    fileprivate init(firstFormat reader: inout SnapshotReader) throws(SnapshotError) {
        self.init()
        opaque = try reader.read()
        semiTransparent = try reader.read()
        transparent = try reader.read()
        fadeNext = try reader.read()
    }
}
