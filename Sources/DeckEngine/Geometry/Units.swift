/// A moment on a session's own clock, in milliseconds since the session began.
public struct Instant: Sendable, Hashable, Comparable {
    /// The number of milliseconds since the session began.
    public var milliseconds: Double

    /// The moment `milliseconds` after the session began.
    public init(_ milliseconds: Double) {
        self.milliseconds = milliseconds
    }

    /// The moment at which a session begins.
    public static let zero = Instant(0)

    /// The last moment of a session's clock, some 31 years after it began. Every animation has ended by then.
    public static let last = Instant(1e12)

    // All four comparisons are written out, because those that Swift derives from `<` would order NaN after every number.

    /// Whether `left` is earlier.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// Whether `left` is later.
    public static func > (left: Instant, right: Instant) -> Bool {
        left.milliseconds > right.milliseconds
    }

    /// Whether `left` is earlier or the same.
    public static func <= (left: Instant, right: Instant) -> Bool {
        left.milliseconds <= right.milliseconds
    }

    /// Whether `left` is later or the same.
    public static func >= (left: Instant, right: Instant) -> Bool {
        left.milliseconds >= right.milliseconds
    }

    /// The moment `right` after `left`.
    public static func + (left: Instant, right: Milliseconds) -> Instant {
        Instant(left.milliseconds + right.value)
    }

    /// The moment `duration` later, but not after `last`.
    func later(by duration: Milliseconds) -> Instant {
        Instant(min(milliseconds + duration.value, Self.last.milliseconds))
    }

    /// The moment `right` before `left`.
    public static func - (left: Instant, right: Milliseconds) -> Instant {
        Instant(left.milliseconds - right.value)
    }

    /// The time from `right` to `left`.
    public static func - (left: Instant, right: Instant) -> Milliseconds {
        Milliseconds(left.milliseconds - right.milliseconds)
    }
}

extension Instant: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    /// The moment `800.5` milliseconds after the session began.
    public init(floatLiteral milliseconds: Double) {
        self.init(milliseconds)
    }

    /// The moment `800` milliseconds after the session began.
    public init(integerLiteral milliseconds: Int) {
        self.init(Double(milliseconds))
    }
}

/// A duration in milliseconds.
public struct Milliseconds: Sendable, Hashable, Comparable {
    /// The number of milliseconds.
    public var value: Double

    /// A duration of `value` milliseconds.
    public init(_ value: Double) {
        self.value = value
    }

    /// No time at all.
    public static let zero = Milliseconds(0)

    /// Whether `left` is shorter.
    public static func < (left: Milliseconds, right: Milliseconds) -> Bool {
        left.value < right.value
    }
}

extension Milliseconds: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    /// `800.5` milliseconds.
    public init(floatLiteral value: Double) {
        self.init(value)
    }

    /// `800` milliseconds.
    public init(integerLiteral value: Int) {
        self.init(Double(value))
    }
}

/// An angle in radians, clockwise on a screen whose y axis points down.
public struct Radians: Sendable, Hashable {
    /// The number of radians.
    public var value: Double

    /// An angle of `value` radians.
    public init(_ value: Double) {
        self.value = value
    }

    /// No turn.
    public static let zero = Radians(0)

    /// `sineAndCosine(_:)` for members of the same name, which hide the function.
    var sineCosinePair: (sine: Double, cosine: Double) {
        sineAndCosine(self)
    }
}

extension Radians: ExpressibleByFloatLiteral {
    /// `0.5` radians.
    public init(floatLiteral value: Double) {
        self.init(value)
    }
}
