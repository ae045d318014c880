import Testing

@testable import DeckEngine

/// How a model-tested session begins.
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

    /// The deck of cards that a reload reads again.
    func cards(_ count: Int) -> [ModelCard] {
        (0..<count).map { number in
            ModelCard(name: String(number), trait: isListed ? ModelCard.Trait(number) : .plain)
        }
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
        return settings
    }

    func begin() -> (session: DeckSession, notifications: [DeckNotification]) {
        DeckSession.begin(
            deck: deck(count, settings: settings),
            viewport: Size(width: 300, height: 400),
            startIndex: startIndex,
            appears: appears
        )
    }

    func deck(_ count: Int, settings: DeckSettings) -> Deck {
        Deck(cards: isListed ? .listed(cards(count).map(\.card)) : .numbered(count), settings: settings)
    }

    /// As it is written in a test.
    var source: String {
        """
        ModelStart(
            preset: .\(preset), loop: \(loop), count: \(count), isListed: \(isListed), visible: \(visible),
            from: .\(from), policy: .\(policy), allowed: [\(allowed.map { ".\($0)" }.joined(separator: ", "))],
            threshold: \(threshold), flings: \(flings), reduced: \(reduced), startIndex: \(startIndex), appears: \(appears)
        )
        """
    }
}

/// A card as the model knows it: a name, and at most one peculiarity.
struct ModelCard: Equatable {
    enum Trait: Int, CaseIterable {
        case plain, final, stuck, onlyRight, deniesLeft, upToo

        /// The trait of a card by its number: every third card has one.
        init(_ number: Int) {
            self = number % 3 == 2 ? Self.allCases[number / 3 % Self.allCases.count] : .plain
        }
    }

    var name: String
    var trait: Trait

    /// The card as the engine gets it.
    var card: Card {
        var card = Card(id: name)
        switch trait {
        case .plain: break
        case .final: card.undoable = false
        case .stuck: card.draggable = false
        case .onlyRight: card.allowedDirections = [.right]
        case .deniesLeft: card.deniedDirections = [.left]
        case .upToo: card.allowedDirections = [.up, .left, .right]
        }
        return card
    }
}
