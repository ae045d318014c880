/// How opaque cards are, 0…1.
public struct Appearance: Sendable, Hashable {
    /// The front card.
    public var opaque = 1.0
    /// The cards behind it.
    public var semiTransparent = 0.7
    /// A reverted card before it has come back.
    public var transparent = 0.0
    /// Whether the cards behind are semitransparent at all; the next one becomes opaque as the front card leaves.
    public var fadeNext = true

    /// The appearance of preset `standard`.
    public init() {}

    /// The opacity of a card that rests at `place`.
    func restOpacity(at place: Int) -> Double {
        place == 0 || !fadeNext ? opaque : semiTransparent
    }
}

/// How an overlay comes in.
public struct OverlaySettings: Sendable, Hashable {
    /// The part of the way to the threshold at which it begins to show.
    public var start = 0.0
    /// The part of the way to the threshold at which it shows in full.
    public var end = 1.0

    /// An overlay that grows all the way to the threshold.
    public init() {}

    /// The overlay's progress 0…1 for a drag of `percentage` under a given threshold.
    func progress(percentage: Double, threshold: Double) -> Double {
        guard percentage > 0 else { return 0 }
        let way = threshold > 0 ? min(percentage / threshold, 1) : 1
        guard end > start else { return way >= end ? 1 : 0 }
        return min(max((way - start) / (end - start), 0), 1)
    }
}
