public import DeckEngine

// Choices have their names in the engine (`NamedChoice`). Curves are no plain choice there, because a spring is one too.

extension JSONValue {
    /// The choice that the string names; any other string is out of range.
    public func choice<Choice: NamedChoice>(_: Choice.Type = Choice.self) throws(WireError) -> Choice {
        guard kind == .string else { throw mismatch("a string") }
        for choice in Choice.allCases where matches(choice.name) { return choice }
        throw outOfRange("must be one of: \(Self.list(Choice.allCases.map(\.name)))")
    }

    /// The curve that the string names; any other string is out of range.
    func curve() throws(WireError) -> Curve {
        Curve.named[try choice(of: Curve.names)]
    }
}

extension Curve {
    /// The names of `named`, in that order.
    static let names: [StaticString] = named.map(\.name)

    /// The curve's name on the wire. A spring is no setting's value and has none.
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
