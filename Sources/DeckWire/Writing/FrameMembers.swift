import DeckEngine

/// A member of a frame.
enum FrameMember: UInt8, NamedChoice {
    case session, version, at, currentIndex, cardCount, visibleCount, loop, exhausted, dragging, drag, pending
    case animating, settlesAt, canRevert, canRedo, cards, lastNotification

    var name: StaticString {
        switch self {
        case .session: "session"
        case .version: "version"
        case .at: "at"
        case .currentIndex: "currentIndex"
        case .cardCount: "cardCount"
        case .visibleCount: "visibleCount"
        case .loop: "loop"
        case .exhausted: "exhausted"
        case .dragging: "dragging"
        case .drag: "drag"
        case .pending: "pending"
        case .animating: "animating"
        case .settlesAt: "settlesAt"
        case .canRevert: "canRevert"
        case .canRedo: "canRedo"
        case .cards: "cards"
        case .lastNotification: "lastNotification"
        }
    }
}

/// The members of a frame that are written: all, or those that a client asked for.
public struct FrameMembers: Sendable, Equatable {
    private var bits: UInt32

    /// Every member.
    public static let all = FrameMembers(bits: ~0)

    private init(bits: UInt32) {
        self.bits = bits
    }

    /// The members of a list with commas between them, as in `fields=version,cards`; nil if one is unknown or the list is
    /// empty.
    public init?(_ list: String) {
        bits = 0
        for name in list.split(separator: ",", omittingEmptySubsequences: false) {
            let known = FrameMember.allCases.first { $0.name.description == name }
            guard let member = known else { return nil }
            bits |= 1 << UInt32(member.rawValue)
        }
    }

    /// The names that a list can have.
    public static var knownNames: String {
        FrameMember.allCases.map(\.name.description).joined(separator: ", ")
    }

    func contains(_ member: FrameMember) -> Bool {
        bits & (1 << UInt32(member.rawValue)) != 0
    }
}

/// Additional members of a frame.
public struct FrameExtras: Sendable, Equatable {
    /// Each card's `data`.
    public var data = false
    /// The motion as data.
    public var motion = false
    /// Data for assistive technology: each card's `label` and `position`, and the possible actions.
    public var labels = false

    /// The names that a list can have.
    public static let knownNames = "data, motion, labels"

    /// Whether cards have members with their content.
    var haveContent: Bool { data || labels }

    /// No additional members.
    public init() {}

    /// The extras of a list with commas between them, as in `include=data,labels`; nil if one is unknown.
    public init?(_ list: String) {
        for name in list.split(separator: ",", omittingEmptySubsequences: false) {
            switch name {
            case "data": data = true
            case "motion": motion = true
            case "labels": labels = true
            default: return nil
            }
        }
    }
}
