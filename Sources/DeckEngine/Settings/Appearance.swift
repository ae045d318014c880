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

    /// The opacity of a card that rests in a slot.
    func restOpacity(inSlot slot: Int) -> Double {
        slot == 0 || !fadeNext ? opaque : semiTransparent
    }
}

extension Appearance: SettingGroup {
    /// Passes every member to a visitor.
    public mutating func visit<Visitor: SettingVisitor>(
        _ visitor: inout Visitor,
        base: Appearance
    ) throws(Visitor.Failure) {
        try visitor.number("opaque", &opaque, base.opaque, in: SettingLimits.fractions)
        try visitor.number("semiTransparent", &semiTransparent, base.semiTransparent, in: SettingLimits.fractions)
        try visitor.number("transparent", &transparent, base.transparent, in: SettingLimits.fractions)
        try visitor.flag("fadeNext", &fadeNext, base.fadeNext)
    }
}
