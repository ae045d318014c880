internal import DeckEngine
internal import DeckWire

extension SessionPatch {
    /// What the engine must do.
    var events: [Event] {
        var events: [Event] = []
        if let settings { events.append(.configure(settings)) }
        if viewport != nil || screen != nil { events.append(.resize(viewport: viewport, screen: screen)) }
        return events
    }
}
