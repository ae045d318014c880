import DeckEngine

/// A step of a session and its model, with the time since the step before.
struct ModelStep: Equatable {
    /// A displacement, a place or a velocity in the plane.
    struct Way: Equatable {
        var x: Double
        var y: Double

        init(_ x: Double, _ y: Double) {
            self.x = x
            self.y = y
        }

        var vector: Vector { Vector(x: x, y: y) }
    }

    enum Action: Equatable {
        case finger(DragEvent.Phase, to: Way?, grabbed: Way?, speed: Way?)
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
        /// A reload with a deck of these cards.
        case reread([String], ModelCard.Trait)
        case reset
        case tap(Int?)
        case nudge(Direction)
        case appear
        case resize(Double, Double)
        case configure(ModelChange)
        case tick
        /// An event this long before the session's time; nil: at a time that is NaN.
        case backwards(Double?)
        /// The session is replaced by a copy that was restored from its snapshot.
        case restore

        /// A drag whose finger is only fast sideways.
        static func drag(_ phase: DragEvent.Phase, x: Double?, y: Double?, speed: Double?) -> Action {
            let way = x == nil && y == nil ? nil : Way(x ?? 0, y ?? 0)
            return .finger(phase, to: way, grabbed: nil, speed: Way(speed ?? 0, 0))
        }
    }

    /// The card that an event names.
    enum Target: Equatable {
        case front, other, unknown
    }

    var wait: Double
    var action: Action
    var target: Target?
    /// Whether to try the event on a copy first, to try the histories and to look at the future.
    var isThorough: Bool

    init(_ wait: Double, _ action: Action, on target: Target? = nil, thorough: Bool = false) {
        self.wait = wait
        self.action = action
        self.target = target
        isThorough = thorough
    }
}

extension ModelStep.Action {
    /// The event for the current deck.
    func event(_ start: ModelStart, _ model: ReferenceDeck) -> Event {
        switch self {
        case .finger(let phase, let way, let grabbed, let speed):
            return .drag(
                DragEvent(phase, translation: way?.vector, location: grabbed?.vector, velocity: speed?.vector)
            )
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
            // Queued commands take effect first, and may bring other cards there.
            var then = model
            then.executeWaiting()
            let inside = max(from, 0)..<max(max(from, 0), min(to, then.row.count))
            let fresh = inside.map { ModelCard(name: then.row[$0].name, trait: trait).card }
            return .refresh(from..<max(from, to), from: Deck(cards: .listed(fresh), settings: model.settings))
        case .shuffle(let seed): return .shuffle(seed: seed)
        case .sendToBack: return .command(.sendToBack)
        case .putBack: return .command(.putBack)
        case .reload(let count): return .reload(Deck(cards: start.cards(count).list, settings: model.settings))
        case .reread(let names, let trait):
            let cards = names.map { ModelCard(name: $0, trait: trait).card }
            return .reload(Deck(cards: .listed(cards), settings: model.settings))
        case .reset: return .reset
        case .tap(let index): return .tap(index: index)
        case .nudge(let direction): return .nudge(direction)
        case .appear: return .appear
        case .resize(let width, let height): return .resize(viewport: Size(width: width, height: height), screen: nil)
        case .configure(let change):
            var settings = model.settings
            change.apply(to: &settings)
            return .configure(settings)
        case .tick, .backwards, .restore: return .tick
        }
    }

    /// Whether it swipes a card, reverts swipes or redoes them.
    var isSwipe: Bool {
        switch self {
        case .swipe, .revert, .redo: true
        default: false
        }
    }

    /// The name of the step in a fault.
    var title: String {
        switch self {
        case .finger(let phase, _, _, _): "drag \(phase)"
        case .scroll(let phase, _, _): "scroll \(phase)"
        case .configure(let change): "configure \(change.source.dropFirst().prefix { $0 != "(" })"
        default: String(source.dropFirst().prefix { $0 != "(" })
        }
    }
}
