/// One property in motion: a value with a start, a duration and a curve, in closed form.
struct Track<Value: Interpolated>: Sendable, Hashable {
    private(set) var from: Value
    private(set) var to: Value
    private(set) var start: Instant
    private(set) var duration: Milliseconds
    private(set) var curve: Curve

    /// A value at rest.
    ///
    /// Copies of this code would make up one percent of the engine as WebAssembly.
    @inline(never)
    init(still value: Value) {
        from = value
        to = value
        start = .zero
        duration = .zero
        curve = .linear
    }

    /// A value that changes over a given time. It is at rest at once if the distance or the duration is zero.
    init(from: Value, to: Value, start: Instant, duration: Milliseconds, curve: Curve) {
        let duration = min(duration, Instant.last - start)
        self.init(still: to)
        guard from != to, duration > .zero else { return }
        self.from = from
        self.start = start
        self.duration = duration
        self.curve = curve
    }

    /// A value on a spring, which takes as long as the spring needs.
    ///
    /// - Parameter threshold: the distance that counts as zero.
    init(
        from: Value,
        to: Value,
        start: Instant,
        spring: Spring,
        threshold: Double = Value.springThreshold
    ) {
        guard from != to else {
            self.init(still: to)
            return
        }
        let (largest, length) = from.distance(to: to)
        self.init(
            from: from,
            to: to,
            start: start,
            duration: spring.settlingDuration(largest: largest, length: length, threshold: threshold),
            curve: .spring(spring)
        )
    }

    var end: Instant {
        start + duration
    }

    /// The value at `time`; from `end` on it is exactly the target.
    func value(at time: Instant) -> Value {
        if time >= end { return to }
        if time <= start { return from }
        return .between(from, to, curve.progress(after: time - start, of: duration))
    }
}

extension Track where Value == Double {
    /// The same motion, displaced.
    func shifted(by distance: Double) -> Track {
        var track = self
        track.from += distance
        track.to += distance
        return track
    }
}
