/// How an overlay comes in.
public struct OverlaySettings: Sendable, Hashable {
    /// The range for directions without a separate one.
    public var range = OverlayRange()
    /// The ranges of single directions.
    public var directions = PerDirection<OverlayRange>()

    /// An overlay that grows all the way to the threshold.
    public init() {}

    func range(_ direction: Direction) -> OverlayRange {
        directions[direction] ?? range
    }
}

/// The part of the way to the threshold in which an overlay comes in, and its curve.
public struct OverlayRange: Sendable, Hashable {
    /// The part of the way at which it begins to show.
    public var start = 0.0
    /// The part of the way at which it shows in full.
    public var end = 1.0
    /// How its opacity follows its progress.
    public var curve = Curve.linear

    /// An overlay that grows all the way to the threshold, in a straight line.
    public init() {}

    /// The overlay's progress 0…1 for a drag of `progress` under a given threshold.
    func progress(dragProgress progress: Double, threshold: Double) -> Double {
        guard progress > 0 else { return 0 }
        let way = threshold > 0 ? min(progress / threshold, 1) : 1
        guard end > start else { return way >= end ? 1 : 0 }
        return min(max((way - start) / (end - start), 0), 1)
    }
}

extension OverlaySettings: SettingGroup {
    /// Passes every member to a visitor.
    public mutating func visit<Visitor: SettingVisitor>(
        _ visitor: inout Visitor,
        base: OverlaySettings
    ) throws(Visitor.Failure) {
        try range.visit(&visitor, base: base.range)
        try visitor.ranges("directions", &directions, base.directions, over: range)
    }
}

extension OverlayRange: SettingGroup {
    /// Passes every member to a visitor.
    public mutating func visit<Visitor: SettingVisitor>(
        _ visitor: inout Visitor,
        base: OverlayRange
    ) throws(Visitor.Failure) {
        try visitor.number("start", &start, base.start, in: SettingLimits.fractions)
        try visitor.number("end", &end, base.end, in: SettingLimits.fractions)
        try visitor.curve("curve", &curve, base.curve)
    }
}
