/// Everything about a deck but its cards.
public struct DeckSettings: Sendable, Hashable {
    /// Whether the first card follows the last.
    public var loop = false
    /// Where cards rest.
    public var layout = Layout.stack(StackLayout())
    /// What is allowed and when a drag is a swipe.
    public var rules = Rules()
    /// How cards move.
    public var motion = MotionSettings()
    /// How opaque they are.
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

/// A named set of settings to start from.
public enum Preset: String, Sendable, Hashable, CaseIterable {
    /// What Koloda's README promises, with flings, and with no command dropped.
    case standard
    /// Koloda 5.0.1 as it runs.
    case koloda
    /// Koloda's second sample, with a stretched card behind the front one.
    case kolodaBackground = "koloda-background"
    /// CardsAnimationDemo: a pile that is scrolled through without end.
    case flipCarousel = "flip-carousel"
}
