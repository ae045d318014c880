import DeckEngine

/// The start of a model-tested session.
struct ModelStart: Equatable {
    var preset = Preset.standard
    var loop = false
    var count = 5
    var isListed = false
    var visible = 3
    var from = StackOrigin.bottom
    var policy = BusyPolicy.proceed
    var allowed: [Direction] = [.left, .right]
    var threshold = 0.5
    var flings = true
    var reduced = false
    var startIndex = 0
    var appears = false
    /// The other differences from the preset.
    var changes: [ModelChange] = []

    static let viewport = Size(width: 300, height: 400)

    /// The deck that a reload uses.
    func cards(_ count: Int) -> ReferenceRow {
        if !isListed { return ReferenceRow(counting: count) }
        return ReferenceRow((0..<count).map { ModelCard(name: String($0), trait: ModelCard.Trait($0)) })
    }

    var settings: DeckSettings {
        var settings = DeckSettings(preset: preset)
        settings.loop = loop
        if case .stack(var stack) = settings.layout {
            stack.visibleCount = visible
            stack.from = from
            settings.layout = .stack(stack)
        }
        settings.rules.whileAnimating = policy
        settings.rules.allowedDirections = Directions(allowed)
        settings.rules.swipeThreshold = threshold
        settings.rules.velocityThreshold = flings ? 750 : nil
        settings.motion.reduced = reduced
        for change in changes { change.apply(to: &settings) }
        return settings
    }

    var deck: Deck {
        Deck(cards: cards(count).list, settings: settings)
    }

    /// As Swift source of a test.
    var source: String {
        """
        ModelStart(
            preset: .\(preset), loop: \(loop), count: \(count), isListed: \(isListed), visible: \(visible),
            from: .\(from), policy: .\(policy), allowed: [\(allowed.map { ".\($0)" }.joined(separator: ", "))],
            threshold: \(threshold), flings: \(flings), reduced: \(reduced), startIndex: \(startIndex), appears: \(appears),
            changes: [\(changes.map(\.source).joined(separator: ", "))]
        )
        """
    }
}
