public import DeckEngine

extension JSONWriter {
    /// Writes the outcome of an event, as one of an answer's `results`.
    ///
    /// - Parameter type: the event's name on the wire.
    public mutating func result(_ outcome: Outcome, of type: StaticString) {
        object { writer in
            writer.member("type", type)
            writer.member("applied", outcome.isApplied)
            if let refusal = outcome.refusal { writer.member("reason", refusal.rawValue) }
            writer.write(outcome.ending)
            if let direction = outcome.direction { writer.member("direction", direction.name) }
            if let index = outcome.index { writer.member("index", index) }
            writer.member("version", outcome.version)
        }
    }

    private mutating func write(_ ending: Ending?) {
        switch ending {
        case nil: break
        case .swiped: member("outcome", "swiped")
        case .scrolled: member("outcome", "scrolled")
        case .pending: member("outcome", "pending")
        case .reverted: member("outcome", "reverted")
        case .queued: member("outcome", "queued")
        case .reset(let reason):
            member("outcome", "reset")
            member("reason", reason.rawValue)
        }
    }
}
