/// How an overlay comes in.
public struct OverlaySettings: Sendable, Hashable {
    /// How it comes in where its direction has no range of its own.
    public var range = OverlayRange()
    /// How it comes in for single directions.
    public var directions = PerDirection<OverlayRange>()

    /// An overlay that grows all the way to the threshold.
    public init() {}

    func range(_ direction: Direction) -> OverlayRange {
        directions[direction] ?? range
    }
}

/// From where to where on the way to the threshold an overlay comes in, and how.
public struct OverlayRange: Sendable, Hashable {
    /// The part of the way at which it begins to show.
    public var start = 0.0
    /// The part of the way at which it shows in full.
    public var end = 1.0
    /// How its opacity follows its progress.
    public var curve = OverlayCurve.linear

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

/// How an overlay's opacity follows its progress: the curves of CSS.
public enum OverlayCurve: UInt8, Sendable, Hashable, CaseIterable {
    case linear, ease, easeIn, easeOut, easeInOut

    /// The opacity 0…1 at a progress 0…1.
    func alpha(at progress: Double) -> Double {
        switch self {
        case .linear: progress
        case .ease: CubicBezier.ease.progress(at: progress)
        case .easeIn: CubicBezier(x1: 0.42, y1: 0, x2: 1, y2: 1).progress(at: progress)
        case .easeOut: CubicBezier(x1: 0, y1: 0, x2: 0.58, y2: 1).progress(at: progress)
        case .easeInOut: CubicBezier(x1: 0.42, y1: 0, x2: 0.58, y2: 1).progress(at: progress)
        }
    }
}
