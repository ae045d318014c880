import DeckWire

/// The maximum lengths of bodies.
struct BodyLimits: Sendable {
    /// The maximum length of a body that contains a deck.
    let deckBytes: Int
    /// The maximum length of any other body.
    let otherBytes: Int

    init(_ configuration: ServiceConfiguration) {
        deckBytes = min(configuration.deckBytes, WireLimits.deckBytes)
        otherBytes = min(configuration.bodyBytes, WireLimits.bodyBytes)
    }

    func bytes(of body: Endpoint.Body) -> Int {
        switch body {
        case .none: 0
        case .deck: deckBytes
        case .other: otherBytes
        }
    }
}
