import DeckEngine

/// An event as the list of numbers that `ClientEngine` reads.
enum EventNumbers {
    /// - Parameter card: the number of the card that must be in front.
    /// - Returns: the list; nil: only the server applies the event.
    static func list(_ event: Event, onlyOn card: UInt32? = nil, at time: Double) -> [Double]? {
        guard let (type, members) = gesture(event) ?? change(event) else { return nil }
        return [type, time, card.map { Double($0) } ?? .nan] + members
    }

    private static func gesture(_ event: Event) -> (Double, [Double])? {
        switch event {
        case .drag(let drag):
            let members = numbers(drag.translation) + numbers(drag.location) + numbers(drag.velocity)
            return (0, [Double(drag.phase.rawValue)] + members)
        case .scroll(let scroll):
            return (1, [Double(scroll.phase.rawValue), scroll.offset ?? .nan, scroll.velocity ?? .nan])
        case .tap(let index, let count): return (2, [index.map { Double($0) } ?? .nan, Double(count)])
        case .press(let index): return (3, [index.map { Double($0) } ?? .nan])
        case .flip: return (4, [])
        case .nudge(let direction): return (5, [Double(direction.rawValue)])
        case .confirm: return (7, [])
        case .deny: return (8, [])
        default: return nil
        }
    }

    private static func change(_ event: Event) -> (Double, [Double])? {
        switch event {
        case .command(let command): return numbers(command)
        case .reset: return (14, [])
        case .remove(let range): return (15, [Double(range.lowerBound), Double(range.upperBound)])
        case .shuffle(let seed): return (16, [Double(seed)])
        case .appear: return (17, [])
        case .resize(let viewport, let screen): return (18, numbers(viewport) + numbers(screen))
        case .tick: return (19, [])
        default: return nil
        }
    }

    private static func numbers(_ command: Command) -> (Double, [Double]) {
        switch command {
        case .swipe(let direction, let force, let options):
            let curve = options.easing.flatMap { Curve.named.firstIndex(of: $0) }
            var members = [Double(direction.rawValue), force ? 1 : 0]
            members.append(options.duration?.value ?? Double.nan)
            members.append(curve.map { Double($0) } ?? .nan)
            return (6, members + numbers(options.toward))
        case .revert(let style, let count):
            let way: Double =
                switch style {
                case .fade: .nan
                case .from(let direction): Double(direction.rawValue)
                case .origin: 8
                }
            return (9, [way, Double(count)])
        case .redo(let count): return (10, [Double(count)])
        case .move(let index): return (11, [Double(index)])
        case .sendToBack: return (12, [])
        case .putBack: return (13, [])
        }
    }

    private static func numbers(_ vector: Vector?) -> [Double] {
        [vector?.x ?? .nan, vector?.y ?? .nan]
    }

    private static func numbers(_ size: Size?) -> [Double] {
        [size?.width ?? .nan, size?.height ?? .nan]
    }
}

extension Event {
    /// The event's name on the wire.
    var name: StaticString {
        switch self {
        case .drag: "drag"
        case .scroll: "scroll"
        case .command(.swipe): "swipe"
        case .command(.revert): "revert"
        case .command(.redo): "redo"
        case .command(.move): "move"
        case .command(.sendToBack): "sendToBack"
        case .command(.putBack): "putBack"
        case .reload: "reload"
        case .reset: "reset"
        case .insert: "insert"
        case .remove: "remove"
        case .refresh: "refresh"
        case .shuffle: "shuffle"
        case .tap: "tap"
        case .press: "press"
        case .flip: "flip"
        case .confirm: "confirm"
        case .deny: "deny"
        case .nudge: "nudge"
        case .appear: "appear"
        case .resize: "resize"
        case .configure: "configure"
        case .tick: "tick"
        }
    }
}
