public import DeckEngine

// The engine has the names of choices (`NamedChoice`). Curves have theirs here, because a spring is a curve without a name.

extension JSONValue {
    /// The choice with this name. Any other string is out of range.
    public func choice<Choice: NamedChoice>(_: Choice.Type = Choice.self) throws(WireError) -> Choice {
        guard kind == .string else { throw mismatch("a string") }
        for choice in Choice.allCases where matches(choice.name) { return choice }
        throw outOfRange("must be one of: \(Self.list(Choice.allCases.map(\.name)))")
    }

    /// The curve with this name. Any other string is out of range.
    func curve() throws(WireError) -> Curve {
        Curve.named[try choice(of: Curve.names)]
    }
}

extension Curve {
    /// The names of `named`, in that order.
    static let names: [StaticString] = named.map(\.name)

    /// The curve's name on the wire. A spring is not a value of a setting and has none.
    var name: StaticString {
        switch self {
        case .linear: "linear"
        case .ease: "ease"
        case .easeIn: "easeIn"
        case .easeOut: "easeOut"
        case .easeInOut: "easeInOut"
        case .spring: ""
        }
    }
}
