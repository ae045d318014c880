/// Everything about a deck except its cards.
public struct DeckSettings: Sendable, Hashable {
    /// Whether the first card follows the last.
    public var loop = false
    /// Where cards rest.
    public var layout = Layout.stack(StackLayout())
    /// The rules of drags, swipes and commands.
    public var rules = Rules()
    /// How cards move.
    public var motion = MotionSettings()
    /// The opacities of the cards.
    public var appearance = Appearance()
    /// How a verdict is shown on the dragged card.
    public var overlay = OverlaySettings()

    /// The settings of preset `standard`.
    public init() {}

    /// The settings of a preset.
    public init(preset: Preset) {
        self.init()
        switch preset {
        case .standard: break
        case .koloda: behaveAsKoloda()
        case .kolodaBackground: behaveAsKolodaBackground()
        case .flipCarousel:
            layout = .flip(FlipLayout())
            loop = true
        }
    }

    private mutating func behaveAsKoloda() {
        rules.swipeThreshold = 1
        rules.velocityThreshold = nil
        rules.pullBackCancels = false
        rules.whileAnimating = .ignore
        motion.tracking = .koloda
        motion.exitFollowsFling = false
    }

    /// Koloda's second sample: a large picture behind the card, which does not follow the drag and arrives on a spring.
    private mutating func behaveAsKolodaBackground() {
        behaveAsKoloda()
        layout = .stretched(StretchedLayout())
        appearance.semiTransparent = 0.1
        motion.moveBackground = false
        motion.backgroundSpring = SpringSettings(bounciness: 9, speed: 16)
    }
}

extension DeckSettings: SettingGroup {
    /// Passes every member to a visitor.
    public mutating func visit<Visitor: SettingVisitor>(
        _ visitor: inout Visitor,
        base: DeckSettings
    ) throws(Visitor.Failure) {
        try visitor.flag("loop", &loop, base.loop)
        try visitor.layout("layout", &layout, base.layout)
        try visitor.group("rules", &rules, base.rules)
        try visitor.group("motion", &motion, base.motion)
        try visitor.group("appearance", &appearance, base.appearance)
        try visitor.group("overlay", &overlay, base.overlay)
    }
}

/// A named set of settings to start from.
public enum Preset: UInt8, NamedChoice {
    /// The behaviour that Koloda's README promises, with flings, and without dropped commands.
    case standard = 0
    /// The behaviour of Koloda 5.0.1.
    case koloda = 1
    /// Koloda's second sample, with a stretched card behind the front one.
    case kolodaBackground = 2
    /// CardsAnimationDemo: a carousel without end.
    case flipCarousel = 3

    /// The name on the wire.
    public var name: StaticString {
        switch self {
        case .standard: "standard"
        case .koloda: "koloda"
        case .kolodaBackground: "koloda-background"
        case .flipCarousel: "flip-carousel"
        }
    }
}
