/// Which of a frame's members are written: all, or those that a client asked for.
public struct FrameMembers: Sendable, Equatable {
    static let names: [StaticString] = [
        "session", "version", "at", "currentIndex", "cardCount", "visibleCount", "loop", "exhausted", "dragging",
        "animating", "settlesAt", "canRevert", "canRedo", "cards", "lastNotification",
    ]

    private var bits: UInt32

    /// Every member.
    public static let all = FrameMembers(bits: ~0)

    private init(bits: UInt32) {
        self.bits = bits
    }

    /// The members of a list with commas between them, as in `fields=version,cards`; nil if one is unknown or none is
    /// named.
    public init?(_ list: String) {
        bits = 0
        for name in list.split(separator: ",", omittingEmptySubsequences: false) {
            guard let position = Self.names.firstIndex(where: { $0.description == name }) else { return nil }
            bits |= 1 << UInt32(position)
        }
    }

    /// The names that a list can hold.
    public static var knownNames: String {
        names.map(\.description).joined(separator: ", ")
    }

    func contains(_ position: Int) -> Bool {
        bits & (1 << UInt32(position)) != 0
    }
}

/// What a frame holds beyond its own members.
public struct FrameExtras: Sendable, Equatable {
    /// Each card's `data`.
    public var data = false
    /// Each card's `label`.
    public var labels = false

    /// Nothing beyond.
    public init() {}

    /// The extras of a list with commas between them, as in `include=data,labels`; nil if one is unknown.
    public init?(_ list: String) {
        for name in list.split(separator: ",", omittingEmptySubsequences: false) {
            switch name {
            case "data": data = true
            case "labels": labels = true
            default: return nil
            }
        }
    }
}
