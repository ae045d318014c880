/// The whole deck growing into view.
struct AppearAnimation: Sendable, Hashable {
    private(set) var scale: Track<Double>
    private(set) var opacity: Track<Double>

    init(start: Instant, motion: MotionSettings) {
        let begin = start.later(by: motion.dragSpeed)
        let size = motion.reduced ? 1 : 0.1
        scale = Track(from: size, to: 1, start: begin, duration: motion.appearDuration, curve: .ease)
        opacity = Track(from: 0, to: 1, start: begin, duration: motion.appearDuration, curve: .ease)
    }

    var end: Instant {
        max(scale.end, opacity.end)
    }

    /// Draws a card in a deck that is scaled about its middle and partly transparent as a whole.
    func apply(to card: inout FrameCard, viewport: Size, at time: Instant) {
        let scale = scale.value(at: time)
        let offset = card.frame.point(at: card.anchor) - viewport.center
        card.matrix.a *= scale
        card.matrix.b *= scale
        card.matrix.c *= scale
        card.matrix.d *= scale
        card.matrix.tx = scale * card.matrix.tx + (scale - 1) * offset.x
        card.matrix.ty = scale * card.matrix.ty + (scale - 1) * offset.y
        card.opacity *= opacity.value(at: time)
    }
}

extension AppearAnimation: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(scale)
        writer.write(opacity)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        scale = try reader.read()
        opacity = try reader.read()
    }
}
