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
