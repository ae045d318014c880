/// An event that a player may send. All other events are the owner's.
public enum PlayerEvent: UInt8, NamedChoice {
    case drag = 0, scroll, swipe, revert, redo, tap, press, flip, nudge, resize, tick

    /// The name on the wire.
    public var name: StaticString {
        switch self {
        case .drag: "drag"
        case .scroll: "scroll"
        case .swipe: "swipe"
        case .revert: "revert"
        case .redo: "redo"
        case .tap: "tap"
        case .press: "press"
        case .flip: "flip"
        case .nudge: "nudge"
        case .resize: "resize"
        case .tick: "tick"
        }
    }
}

/// A set of events that a player may send. Its order is that of their declaration.
public struct PlayerEvents: Sendable, Hashable {
    /// A bit for each event, by its number.
    private var bits: UInt16

    /// Every event that a player may send.
    public static let all = PlayerEvents(PlayerEvent.allCases)

    /// The set of `events`.
    public init(_ events: some Sequence<PlayerEvent>) {
        bits = events.reduce(0) { $0 | 1 << UInt16($1.rawValue) }
    }

    /// Whether the event is in the set.
    public func contains(_ event: PlayerEvent) -> Bool {
        bits & 1 << UInt16(event.rawValue) != 0
    }

    /// The events in their order.
    public var events: [PlayerEvent] {
        PlayerEvent.allCases.filter(contains)
    }
}

extension PlayerEvents: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(Int(bits))
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        let bits = try reader.read(Int.self)
        try reader.require(0...Int(PlayerEvents.all.bits) ~= bits)
        self.bits = UInt16(truncatingIfNeeded: bits)
    }
}
