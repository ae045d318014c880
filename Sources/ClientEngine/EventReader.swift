import DeckEngine

/// Reads an event from a list of numbers: its type, its time, the number of the card that must be in front or NaN, and the
/// members of its type. `EventLimits` has the limits, as for the HTTP API.
struct EventReader {
    /// An event with its time and its card.
    struct Request {
        var event: Event
        var card: CardID?
        var time: Instant
    }

    /// The number of the event types that only the server applies: insert, reload, refresh, configure.
    private static let serverTypes = 20...23

    private var reader: NumberReader

    init(_ numbers: [Double]) {
        reader = NumberReader(numbers)
    }

    /// - Throws: `invalid` for anything but an event, and `needsServer` for an event that only the server applies.
    mutating func request() throws(ClientError) -> Request {
        let type = reader.integer(in: 0...Self.serverTypes.upperBound)
        if Self.serverTypes.contains(type) { throw .needsServer }
        let time = Instant(reader.number(in: EventLimits.moments))
        let card = reader.optionalInteger(in: 0...Int(Int32.max))
        let event = type < 11 ? gesture(type) : change(type)
        guard reader.isComplete else { throw .invalid }
        return Request(event: event, card: card.map { CardID($0) }, time: time)
    }

    private mutating func gesture(_ type: Int) -> Event {
        switch type {
        case 0: return .drag(drag())
        case 1: return .scroll(scroll())
        case 2:
            return .tap(
                index: reader.optionalInteger(in: EventLimits.indices),
                count: reader.integer(in: EventLimits.tapCounts)
            )
        case 3: return .press(index: reader.optionalInteger(in: EventLimits.indices))
        case 4: return .flip
        case 5: return .nudge(direction())
        case 6: return swipe()
        case 7: return .confirm
        case 8: return .deny
        case 9: return revert()
        default: return .command(.redo(count: reader.integer(in: EventLimits.undoCounts)))
        }
    }

    private mutating func change(_ type: Int) -> Event {
        switch type {
        case 11: return .command(.move(to: reader.integer(in: EventLimits.indices)))
        case 12: return .command(.sendToBack)
        case 13: return .command(.putBack)
        case 14: return .reset
        case 15:
            let (start, end) = (reader.integer(in: EventLimits.indices), reader.integer(in: EventLimits.indices))
            reader.require(start < end)
            return .remove(start..<max(start, end))
        case 16: return .shuffle(seed: UInt64(reader.wholeNumber(in: EventLimits.seeds)))
        case 17: return .appear
        case 18: return resize()
        default: return .tick
        }
    }

    // MARK: Members

    private mutating func direction() -> Direction {
        direction(reader.integer(in: 0...7))
    }

    /// The direction of a number up to 7.
    private func direction(_ number: Int) -> Direction {
        Direction(rawValue: UInt8(number)) ?? .left
    }

    private mutating func phase() -> DragEvent.Phase {
        DragEvent.Phase(rawValue: UInt8(reader.integer(in: 0...3))) ?? .cancelled
    }

    private mutating func vector() -> Vector? {
        let x = reader.optionalNumber(in: EventLimits.coordinates)
        let y = reader.optionalNumber(in: EventLimits.coordinates)
        guard let x, let y else {
            reader.require(x == nil && y == nil)
            return nil
        }
        return Vector(x: x, y: y)
    }

    private mutating func size() -> Size? {
        let width = reader.optionalNumber(in: SettingLimits.lengths)
        let height = reader.optionalNumber(in: SettingLimits.lengths)
        guard let width, let height else {
            reader.require(width == nil && height == nil)
            return nil
        }
        return Size(width: width, height: height)
    }

    private mutating func drag() -> DragEvent {
        let phase = phase()
        let translation = vector()
        let drag = DragEvent(phase, translation: translation, location: vector(), velocity: vector())
        reader.require(phase != .changed || translation != nil)
        return drag
    }

    private mutating func scroll() -> ScrollEvent {
        let phase = phase()
        let offset = reader.optionalNumber(in: EventLimits.coordinates)
        reader.require(phase != .changed || offset != nil)
        return ScrollEvent(phase, offset: offset, velocity: reader.optionalNumber(in: EventLimits.coordinates))
    }

    private mutating func swipe() -> Event {
        let direction = direction()
        let force = reader.integer(in: 0...1) == 1
        var options = SwipeOptions()
        options.duration = reader.optionalNumber(in: SettingLimits.durations).map { Milliseconds($0) }
        if let curve = reader.optionalInteger(in: 0...4) { options.easing = Curve.named[curve] }
        options.toward = vector()
        reader.require(options.toward != .zero)
        return .swipe(direction, force: force, options)
    }

    /// The style is a direction, 8 for the side that the card left by, or NaN to fade in.
    private mutating func revert() -> Event {
        let style: RevertStyle
        switch reader.optionalInteger(in: 0...8) {
        case nil: style = .fade
        case 8: style = .origin
        case let number?:
            style = .from(direction(number))
        }
        return .revert(style, count: reader.integer(in: EventLimits.undoCounts))
    }

    private mutating func resize() -> Event {
        let viewport = size()
        let screen = size()
        reader.require(viewport != nil || screen != nil)
        return .resize(viewport: viewport, screen: screen)
    }
}
