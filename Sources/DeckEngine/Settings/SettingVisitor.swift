/// Visits every setting of a deck.
///
/// Each group of settings declares its members once, in its `visit` method: the name on the wire, the value, the value
/// that stands for "not set", and the range. Reading JSON, writing JSON, the snapshot and the tests of the documents are
/// visitors, so that a new setting is one stored property and one line.
public protocol SettingVisitor {
    associatedtype Failure: Error

    mutating func flag(_ name: StaticString, _ value: inout Bool, _ base: Bool) throws(Failure)
    mutating func integer(
        _ name: StaticString,
        _ value: inout Int,
        _ base: Int,
        in range: ClosedRange<Int>
    ) throws(Failure)
    mutating func number(
        _ name: StaticString,
        _ value: inout Double,
        _ base: Double,
        in range: ClosedRange<Double>
    ) throws(Failure)
    /// An optional number; null means none.
    mutating func optionalNumber(
        _ name: StaticString,
        _ value: inout Double?,
        _ base: Double?,
        in range: ClosedRange<Double>
    ) throws(Failure)
    mutating func choice<Choice: NamedChoice>(
        _ name: StaticString,
        _ value: inout Choice,
        _ base: Choice
    ) throws(Failure)
    mutating func curve(_ name: StaticString, _ value: inout Curve, _ base: Curve) throws(Failure)
    mutating func directions(
        _ name: StaticString,
        _ value: inout Directions,
        _ base: Directions
    ) throws(Failure)
    /// An optional list of directions; null means none.
    mutating func optionalDirections(
        _ name: StaticString,
        _ value: inout Directions?,
        _ base: Directions?
    ) throws(Failure)
    mutating func sectors(_ name: StaticString, _ value: inout [Sector], _ base: [Sector]) throws(Failure)
    mutating func playerEvents(
        _ name: StaticString,
        _ value: inout PlayerEvents,
        _ base: PlayerEvents
    ) throws(Failure)
    mutating func spring(
        _ name: StaticString,
        _ value: inout SpringSettings,
        _ base: SpringSettings
    ) throws(Failure)
    /// An optional spring; null means none.
    ///
    /// - Parameter start: the spring that provides omitted members if there was no spring before.
    mutating func optionalSpring(
        _ name: StaticString,
        _ value: inout SpringSettings?,
        _ base: SpringSettings?,
        startingFrom start: SpringSettings
    ) throws(Failure)
    /// Numbers of single directions.
    mutating func numbers(
        _ name: StaticString,
        _ value: inout PerDirection<Double>,
        _ base: PerDirection<Double>,
        in range: ClosedRange<Double>
    ) throws(Failure)
    /// Overlay ranges of single directions. `range` provides the defaults of a direction without a range.
    mutating func ranges(
        _ name: StaticString,
        _ value: inout PerDirection<OverlayRange>,
        _ base: PerDirection<OverlayRange>,
        over range: OverlayRange
    ) throws(Failure)
    mutating func layout(_ name: StaticString, _ value: inout Layout, _ base: Layout) throws(Failure)
    mutating func group<Group: SettingGroup>(
        _ name: StaticString,
        _ value: inout Group,
        _ base: Group
    ) throws(Failure)
}

extension SettingVisitor {
    mutating func duration(_ name: StaticString, _ value: inout Milliseconds, _ base: Milliseconds) throws(Failure) {
        try number(name, &value.value, base.value, in: SettingLimits.durations)
    }

    mutating func angle(
        _ name: StaticString,
        _ value: inout Radians,
        _ base: Radians,
        in range: ClosedRange<Double>
    ) throws(Failure) {
        try number(name, &value.value, base.value, in: range)
    }
}

/// Settings that are declared together and form one object on the wire.
public protocol SettingGroup: Sendable, Hashable {
    /// Passes every member to a visitor.
    ///
    /// - Parameter base: the group that provides the values of members that are not set.
    mutating func visit<Visitor: SettingVisitor>(
        _ visitor: inout Visitor,
        base: Self
    ) throws(Visitor.Failure)
}

/// A choice among values that have names on the wire and stable numbers in snapshots.
public protocol NamedChoice: CaseIterable, RawRepresentable, Sendable, Hashable where RawValue == UInt8 {
    /// The name on the wire.
    var name: StaticString { get }
}

/// The ranges of settings that several of them share.
public enum SettingLimits {
    /// A duration of an animation, milliseconds.
    public static let durations = 0.0...60_000
    /// An opacity, or a part of a way.
    public static let fractions = 0.0...1
    /// A swipe threshold, in units of the way from a card's centre to its edge.
    public static let thresholds = 0.0...100
    /// A velocity, points per second.
    public static let velocities = 0.0...1_000_000
    /// A spring's bounciness and its speed, in the units of Facebook Pop.
    public static let springs = 0.0...20
    /// A length of a card in a layout, points.
    public static let lengths = 1.0...100_000
    /// How long a swipe waits to be confirmed, milliseconds.
    public static let confirmTimeouts = 0.0...3_600_000
    /// A bound of a sector, radians.
    public static let angles = -2 * Double.pi...2 * Double.pi
    /// Sectors that map angles to directions.
    public static let sectors = 16
    /// Cards behind the visible ones whose content a player may read.
    public static let lookahead = 0...100
}
