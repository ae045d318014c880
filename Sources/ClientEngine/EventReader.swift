import DeckEngine

/// Reads an event from a list of numbers: its type, its time, the number of the card that must be in front or NaN, and the
/// members of its type. It checks the same limits as the HTTP API.
struct EventReader {
    /// An event with its time and its card.
    struct Request {
        var event: Event
        var card: CardID?
        var time: Instant
    }

    /// The times of a session, milliseconds.
    static let moments = 0.0...Instant.last.milliseconds

    private static let coordinates = -1_000_000.0...1_000_000
    private static let indices = 0...EngineLimits.cards
    private static let undoCounts = 1...EngineLimits.historyDepth
    /// The number of the event types that only the server applies: insert, reload, refresh, configure.
    private static let serverTypes = 20...23

    private var reader: NumberReader

    init(_ numbers: [Double]) {
        reader = NumberReader(numbers)
    }

    /// - Throws: `invalid` for anything but an event, and `needsServer` for an event that only the server applies.
    mutating func request() throws(ClientError) -> Request {
        let type = try reader.integer(in: 0...Self.serverTypes.upperBound)
        if Self.serverTypes.contains(type) { throw .needsServer }
        let time = Instant(try reader.number(in: Self.moments))
        let card = try reader.optionalInteger(in: 0...Int(Int32.max))
        let event = try type < 11 ? gesture(type) : change(type)
        guard reader.isAtEnd else { throw .invalid }
        return Request(event: event, card: card.map { CardID($0) }, time: time)
    }

    private mutating func gesture(_ type: Int) throws(ClientError) -> Event {
        switch type {
        case 0: return .drag(try drag())
        case 1: return .scroll(try scroll())
        case 2: return .tap(index: try reader.optionalInteger(in: Self.indices), count: try reader.integer(in: 1...3))
        case 3: return .press(index: try reader.optionalInteger(in: Self.indices))
        case 4: return .flip
        case 5: return .nudge(try direction())
        case 6: return try swipe()
        case 7: return .confirm
        case 8: return .deny
        case 9: return try revert()
        default: return .command(.redo(count: try reader.integer(in: Self.undoCounts)))
        }
    }

    private mutating func change(_ type: Int) throws(ClientError) -> Event {
        switch type {
        case 11: return .command(.move(to: try reader.integer(in: Self.indices)))
        case 12: return .command(.sendToBack)
        case 13: return .command(.putBack)
        case 14: return .reset
        case 15:
            let (start, end) = (try reader.integer(in: Self.indices), try reader.integer(in: Self.indices))
            guard start < end else { throw .invalid }
            return .remove(start..<end)
        case 16: return .shuffle(seed: UInt64(try reader.wholeNumber(in: 0...0x1p53)))
        case 17: return .appear
        case 18: return try resize()
        default: return .tick
        }
    }

    // MARK: Members

    private mutating func direction() throws(ClientError) -> Direction {
        guard let direction = Direction(rawValue: UInt8(try reader.integer(in: 0...255))) else { throw .invalid }
        return direction
    }

    private mutating func phase() throws(ClientError) -> DragEvent.Phase {
        guard let phase = DragEvent.Phase(rawValue: UInt8(try reader.integer(in: 0...255))) else { throw .invalid }
        return phase
    }

    private mutating func vector() throws(ClientError) -> Vector? {
        let x = try reader.optionalNumber(in: Self.coordinates)
        let y = try reader.optionalNumber(in: Self.coordinates)
        guard let x, let y else {
            guard x == nil, y == nil else { throw .invalid }
            return nil
        }
        return Vector(x: x, y: y)
    }

    private mutating func size() throws(ClientError) -> Size? {
        let width = try reader.optionalNumber(in: SettingLimits.lengths)
        let height = try reader.optionalNumber(in: SettingLimits.lengths)
        guard let width, let height else {
            guard width == nil, height == nil else { throw .invalid }
            return nil
        }
        return Size(width: width, height: height)
    }

    private mutating func drag() throws(ClientError) -> DragEvent {
        let phase = try phase()
        let translation = try vector()
        let drag = DragEvent(phase, translation: translation, location: try vector(), velocity: try vector())
        guard phase != .changed || translation != nil else { throw .invalid }
        return drag
    }

    private mutating func scroll() throws(ClientError) -> ScrollEvent {
        let phase = try phase()
        let offset = try reader.optionalNumber(in: Self.coordinates)
        guard phase != .changed || offset != nil else { throw .invalid }
        return ScrollEvent(phase, offset: offset, velocity: try reader.optionalNumber(in: Self.coordinates))
    }

    private mutating func swipe() throws(ClientError) -> Event {
        let direction = try direction()
        let force = try reader.integer(in: 0...1) == 1
        var options = SwipeOptions()
        options.duration = try reader.optionalNumber(in: SettingLimits.durations).map { Milliseconds($0) }
        if let curve = try reader.optionalInteger(in: 0...4) { options.easing = Curve.named[curve] }
        options.toward = try vector()
        guard options.toward != .zero else { throw .invalid }
        return .swipe(direction, force: force, options)
    }

    /// The style is a direction, 8 for the side that the card left by, or NaN to fade in.
    private mutating func revert() throws(ClientError) -> Event {
        let style: RevertStyle
        switch try reader.optionalInteger(in: 0...8) {
        case nil: style = .fade
        case 8: style = .origin
        case let number?:
            guard let direction = Direction(rawValue: UInt8(number)) else { throw .invalid }
            style = .from(direction)
        }
        return .revert(style, count: try reader.integer(in: Self.undoCounts))
    }

    private mutating func resize() throws(ClientError) -> Event {
        let viewport = try size()
        let screen = try size()
        guard viewport != nil || screen != nil else { throw .invalid }
        return .resize(viewport: viewport, screen: screen)
    }
}
