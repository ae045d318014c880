public import DeckEngine

/// A choice that has the same name on the wire as everywhere else.
protocol WireNamed: CaseIterable, Equatable {
    var wireName: StaticString { get }
    /// The names of `allCases`, in that order; a constant, so that reading allocates nothing.
    static var wireNames: [StaticString] { get }
}

extension JSONValue {
    /// The choice that the string names; any other string is out of range.
    func choice<Choice: WireNamed>(_: Choice.Type = Choice.self) throws(WireError) -> Choice {
        let position = try choice(of: Choice.wireNames)
        return Choice.allCases[Choice.allCases.index(Choice.allCases.startIndex, offsetBy: position)]
    }
}

extension Direction: WireNamed {
    static let wireNames = allCases.map(\.wireName)

    /// The direction's name in requests and answers.
    public var wireName: StaticString {
        switch self {
        case .left: "left"
        case .right: "right"
        case .up: "up"
        case .down: "down"
        case .topLeft: "topLeft"
        case .topRight: "topRight"
        case .bottomLeft: "bottomLeft"
        case .bottomRight: "bottomRight"
        }
    }
}

extension DragEvent.Phase: WireNamed {
    static let wireNames = allCases.map(\.wireName)

    var wireName: StaticString {
        switch self {
        case .began: "began"
        case .changed: "changed"
        case .ended: "ended"
        case .cancelled: "cancelled"
        }
    }
}

extension BusyPolicy: WireNamed {
    static let wireNames = allCases.map(\.wireName)

    var wireName: StaticString {
        switch self {
        case .proceed: "proceed"
        case .queue: "queue"
        case .ignore: "ignore"
        }
    }
}

extension Tracking: WireNamed {
    static let wireNames = allCases.map(\.wireName)

    var wireName: StaticString {
        switch self {
        case .finger: "finger"
        case .koloda: "koloda"
        }
    }
}

extension StackOrigin: WireNamed {
    static let wireNames = allCases.map(\.wireName)

    var wireName: StaticString {
        switch self {
        case .none: "none"
        case .top: "top"
        case .bottom: "bottom"
        case .left: "left"
        case .right: "right"
        case .topLeft: "topLeft"
        case .topRight: "topRight"
        case .bottomLeft: "bottomLeft"
        case .bottomRight: "bottomRight"
        }
    }
}

extension Preset: WireNamed {
    static let wireNames = allCases.map(\.wireName)

    var wireName: StaticString {
        switch self {
        case .standard: "standard"
        case .koloda: "koloda"
        case .kolodaBackground: "koloda-background"
        case .flipCarousel: "flip-carousel"
        }
    }
}

extension DragAxis: WireNamed {
    static let wireNames = allCases.map(\.wireName)

    var wireName: StaticString {
        switch self {
        case .free: "free"
        case .horizontal: "horizontal"
        case .vertical: "vertical"
        case .dominant: "dominant"
        }
    }
}

extension OverlayCurve: WireNamed {
    static let wireNames = allCases.map(\.wireName)

    var wireName: StaticString {
        switch self {
        case .linear: "linear"
        case .ease: "ease"
        case .easeIn: "easeIn"
        case .easeOut: "easeOut"
        case .easeInOut: "easeInOut"
        }
    }
}

extension FrameCard.Role {
    var wireName: StaticString {
        switch self {
        case .front: "front"
        case .background: "background"
        case .leaving: "leaving"
        case .returning: "returning"
        }
    }
}
