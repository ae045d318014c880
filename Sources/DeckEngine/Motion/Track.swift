/// How a value gets from where it is to where it belongs.
enum Easing: Sendable, Hashable {
    case linear
    /// CSS `ease`.
    case ease
    case spring(Spring)
}

/// One property on its way: a value with a start, a duration and a curve, in closed form.
struct Track<Value: Interpolated>: Sendable, Hashable {
    var from: Value
    var to: Value
    var start: Instant
    var duration: Milliseconds
    var easing: Easing

    /// A value that stays.
    init(still value: Value) {
        from = value
        to = value
        start = .zero
        duration = .zero
        easing = .linear
    }

    /// A value that changes over a given time. One that is there already is at rest at once.
    init(from: Value, to: Value, start: Instant, duration: Milliseconds, easing: Easing) {
        let moves = from != to && duration > .zero
        self.from = moves ? from : to
        self.to = to
        self.start = moves ? start : .zero
        self.duration = moves ? duration : .zero
        self.easing = moves ? easing : .linear
    }

    /// A value on a spring, which takes as long as the spring needs.
    ///
    /// - Parameter threshold: what counts as no distance.
    init(
        from: Value,
        to: Value,
        start: Instant,
        spring: Spring,
        threshold: Double = Value.springThreshold
    ) {
        let (largest, length) = from.distance(to: to)
        self.init(
            from: from,
            to: to,
            start: start,
            duration: spring.settlingDuration(largest: largest, length: length, threshold: threshold),
            easing: .spring(spring)
        )
    }

    var end: Instant {
        start + duration
    }

    /// The value at `time`; from `end` on it is exactly the target.
    func value(at time: Instant) -> Value {
        if time >= end { return to }
        if time <= start { return from }
        let elapsed = time - start
        let progress: Double =
            switch easing {
            case .linear: elapsed.value / duration.value
            case .ease: CubicBezier.ease.progress(at: elapsed.value / duration.value)
            case .spring(let spring): 1 - spring.remaining(at: elapsed)
            }
        return .between(from, to, progress)
    }
}
