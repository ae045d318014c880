import Testing

@testable import DeckEngine

/// Something that is done to a session and to its model, so long after what was done before.
struct ModelStep: Equatable {
    enum Action: Equatable {
        case drag(DragEvent.Phase, x: Double?, y: Double?, speed: Double?)
        case scroll(DragEvent.Phase, offset: Double?, speed: Double?)
        case swipe(Direction, force: Bool)
        case revert(RevertStyle, Int)
        case redo(Int)
        case move(Int)
        case insertNumbered(Int, at: Int)
        case insertListed([String], ModelCard.Trait, at: Int)
        case remove(Int, Int)
        case refresh(Int, Int, ModelCard.Trait)
        case shuffle(UInt64)
        case sendToBack
        case putBack
        case reload(Int)
        case reset
        case tap(Int?)
        case nudge(Direction)
        case appear
        case resize(Double, Double)
        case configure(Change)
        case tick
    }

    /// A change of the settings.
    enum Change: Equatable {
        case loop(Bool)
        case policy(BusyPolicy)
        case threshold(Double)
        case allowed([Direction])
        case visible(Int)
        case reduced(Bool)
        case preset(Preset)
    }

    var wait: Double
    var action: Action

    init(_ wait: Double, _ action: Action) {
        self.wait = wait
        self.action = action
    }
}

extension ModelStep {
    /// The event for a session that was begun so and has these cards by now.
    func event(_ start: ModelStart, cards: [ModelCard], settings: DeckSettings) -> Event {
        switch action {
        case .drag(let phase, let x, let y, let speed):
            let way = x == nil && y == nil ? nil : Vector(x: x ?? 0, y: y ?? 0)
            return .drag(DragEvent(phase, translation: way, velocity: speed.map { Vector(x: $0, y: 0) }))
        case .scroll(let phase, let offset, let speed):
            return .scroll(ScrollEvent(phase, offset: offset, velocity: speed))
        case .swipe(let direction, let force): return .swipe(direction, force: force)
        case .revert(let style, let count): return .revert(style, count: count)
        case .redo(let count): return .command(.redo(count: count))
        case .move(let index): return .command(.move(to: index))
        case .insertNumbered(let count, let index): return .insert(.numbered(count), at: index)
        case .insertListed(let names, let trait, let index):
            return .insert(.listed(names.map { ModelCard(name: $0, trait: trait).card }), at: index)
        case .remove(let from, let to): return .remove(from..<max(from, to))
        case .refresh(let from, let to, let trait):
            let fresh = cards.map { ModelCard(name: $0.name, trait: trait).card }
            return .refresh(from..<max(from, to), from: Deck(cards: .listed(fresh), settings: settings))
        case .shuffle(let seed): return .shuffle(seed: seed)
        case .sendToBack: return .command(.sendToBack)
        case .putBack: return .command(.putBack)
        case .reload(let count): return .reload(start.deck(count, settings: settings))
        case .reset: return .reset
        case .tap(let index): return .tap(index: index)
        case .nudge(let direction): return .nudge(direction)
        case .appear: return .appear
        case .resize(let width, let height): return .resize(viewport: Size(width: width, height: height), screen: nil)
        case .configure(let change): return .configure(change.applied(to: settings))
        case .tick: return .tick
        }
    }
}

extension ModelStep.Change {
    func applied(to settings: DeckSettings) -> DeckSettings {
        var settings = settings
        switch self {
        case .loop(let loop): settings.loop = loop
        case .policy(let policy): settings.rules.whileAnimating = policy
        case .threshold(let threshold): settings.rules.swipeThreshold = threshold
        case .allowed(let directions): settings.rules.allowedDirections = Directions(directions)
        case .visible(let count):
            guard case .stack(var stack) = settings.layout else { break }
            stack.visibleCount = count
            settings.layout = .stack(stack)
        case .reduced(let reduced): settings.motion.reduced = reduced
        case .preset(let preset): settings.layout = DeckSettings(preset: preset).layout
        }
        return settings
    }
}
