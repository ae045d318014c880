/// A damped spring of mass 1 that is released at rest, in closed form.
public struct Spring: Sendable, Hashable {
    /// Force per distance, 1/s².
    public var tension: Double
    /// Force per speed, 1/s.
    public var friction: Double

    /// A spring of these constants, both above 0.
    public init(tension: Double, friction: Double) {
        self.tension = tension
        self.friction = friction
    }

    /// The spring that Facebook Pop makes of its two settings, each 0…20 there
    /// (`SpringSettings` says what they mean).
    public init(_ settings: SpringSettings) {
        let bounciness = settings.bounciness / 42.5
        let speed = settings.speed / 34
        let quality = 0.5 + 199.5 * speed
        let eased = 2 * bounciness - bounciness * bounciness
        let damping = (1 - eased) * Self.unbouncingFriction(quality) + eased * 0.01
        self.init(tension: 3.62 * quality + 85.4, friction: 3 * damping + 1)
    }

    /// Pop's empirical friction, in its own units, at which a spring of the given tension does not bounce.
    private static func unbouncingFriction(_ tension: Double) -> Double {
        let x = tension
        if x <= 18 { return 0.0007 * x * x * x - 0.031 * x * x + 0.64 * x + 1.28 }
        if x <= 44 { return 0.000044 * x * x * x - 0.006 * x * x + 0.36 * x + 2 }
        return 0.00000045 * x * x * x - 0.000332 * x * x + 0.1078 * x + 5.84
    }

    /// The state of a spring that started one unit away from its target.
    struct State {
        /// The remaining distance; negative beyond the target.
        var remaining: Double
        /// Its change, 1/s.
        var velocity: Double
        /// The change of that, 1/s².
        var acceleration: Double
    }

    /// The part of the distance that remains `time` after the release: 1 at the start, 0 at the target.
    func remaining(at time: Milliseconds) -> Double {
        state(at: time).remaining
    }

    func state(at time: Milliseconds) -> State {
        let seconds = time.value / 1000
        let decay = friction / 2
        let discriminant = tension - decay * decay
        let remaining: Double
        let velocity: Double
        if discriminant > 1e-9 * tension {
            let frequency = discriminant.squareRoot()
            let (sine, cosine) = sineAndCosine(Radians(frequency * seconds))
            let envelope = exponential(-decay * seconds)
            remaining = envelope * (cosine + decay / frequency * sine)
            velocity = -envelope * (tension / frequency) * sine
        } else if discriminant < -1e-9 * tension {
            let root = (-discriminant).squareRoot()
            let slow = -decay + root
            let fast = -decay - root
            let share = -fast / (slow - fast)
            let slowPart = share * exponential(slow * seconds)
            let fastPart = (1 - share) * exponential(fast * seconds)
            remaining = slowPart + fastPart
            velocity = slow * slowPart + fast * fastPart
        } else {
            let envelope = exponential(-decay * seconds)
            remaining = envelope * (1 + decay * seconds)
            velocity = -envelope * decay * decay * seconds
        }
        return State(
            remaining: remaining,
            velocity: velocity,
            acceleration: -tension * remaining - friction * velocity
        )
    }

    /// A spring that has not come to rest by then is stopped, as in Pop.
    static let longestDuration = Milliseconds(30_000)

    /// When a spring over a distance comes to rest: the frame on which Pop would stop it at a steady 60 Hz.
    ///
    /// Pop looks at the spring once a frame, on a separate clock that falls behind (`PopClock`), and stops it at the
    /// first frame on which one of its two tests holds. Only the duration is Pop's; before that, deckd follows the
    /// closed form at the session's time.
    ///
    /// - Parameters:
    ///   - largest: the largest component of the distance.
    ///   - length: the distance's Euclidean length.
    ///   - threshold: the distance that counts as zero for the animated property.
    func settlingDuration(largest: Double, length: Double, threshold: Double) -> Milliseconds {
        var clock = PopClock()
        var former: Double?
        while clock.frameTime < Self.longestDuration {
            let state = state(at: clock.springTime)
            // On the first frame Pop has not integrated a step yet and uses 0 as the acceleration.
            let acceleration = former == nil ? 0 : length * state.acceleration
            let speed = length * state.velocity
            let rests =
                largest * abs(state.remaining) < threshold / 2 && speed * speed < 25 * threshold
                && acceleration * acceleration < 625 * threshold * threshold
            if rests || hasStopped(largest * state.remaining, after: former, threshold) { return clock.frameTime }
            former = largest * state.remaining
            clock.tick()
        }
        return Self.longestDuration
    }

    /// Pop's test of the values it has written: near the target, and hardly changed since the previous frame.
    private func hasStopped(_ remaining: Double, after former: Double?, _ threshold: Double) -> Bool {
        guard let former else { return false }
        return abs(remaining) < threshold / 5 && abs(remaining - former) < threshold / 5
    }
}

/// The time that Pop's solver has reached on each frame at a steady 60 Hz.
///
/// It advances by whole milliseconds and interpolates between the last two steps. The next frame starts from the
/// interpolated state, while the rest of the step is not credited, so every frame loses a part of a step.
private struct PopClock {
    /// Pop's millisecond is a 32-bit float, slightly longer than a millisecond.
    private static let step = Double(Float(0.001))
    private static let frameDuration = 1.0 / 60

    private var frame = 0.0
    private var seconds = 0.0
    private var rest = 0.0

    /// The frame's time.
    var frameTime: Milliseconds {
        Milliseconds(frame * 1000 / 60)
    }

    /// The time that the spring has reached by then.
    var springTime: Milliseconds {
        Milliseconds(seconds * 1000)
    }

    mutating func tick() {
        frame += 1
        let steps = rest + Self.frameDuration / Self.step
        let whole = steps.rounded(.down)
        rest = steps - whole
        seconds += (whole - 1 + rest) * Self.step
    }
}

/// Pop's two settings of a spring.
public struct SpringSettings: Sendable, Hashable {
    /// How far it overshoots, 0…20.
    public var bounciness: Double
    /// How fast it is, 0…20.
    public var speed: Double

    /// A spring of this bounciness and speed.
    public init(bounciness: Double, speed: Double) {
        self.bounciness = bounciness
        self.speed = speed
    }
}
