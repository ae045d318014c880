/// A point on, or a length of, a session's own clock, in milliseconds.
public struct Milliseconds: Sendable, Hashable, Comparable {
    /// The number of milliseconds.
    public var value: Double

    /// A time of `value` milliseconds.
    public init(_ value: Double) {
        self.value = value
    }

    /// No time at all, and the moment a session's clock starts at.
    public static let zero = Milliseconds(0)

    /// Earlier comes before later.
    public static func < (left: Milliseconds, right: Milliseconds) -> Bool {
        left.value < right.value
    }

    // The other three are given too, because those that follow from "earlier than" would call what is not a number
    // later than everything.

    /// Later comes after earlier.
    public static func > (left: Milliseconds, right: Milliseconds) -> Bool {
        left.value > right.value
    }

    /// Earlier or the same.
    public static func <= (left: Milliseconds, right: Milliseconds) -> Bool {
        left.value <= right.value
    }

    /// Later or the same.
    public static func >= (left: Milliseconds, right: Milliseconds) -> Bool {
        left.value >= right.value
    }

    /// The moment `right` after `left`, or both lengths together.
    public static func + (left: Milliseconds, right: Milliseconds) -> Milliseconds {
        Milliseconds(left.value + right.value)
    }

    /// The length of time from `right` to `left`.
    public static func - (left: Milliseconds, right: Milliseconds) -> Milliseconds {
        Milliseconds(left.value - right.value)
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
}

extension Radians: ExpressibleByFloatLiteral {
    /// `0.5` radians.
    public init(floatLiteral value: Double) {
        self.init(value)
    }
}
