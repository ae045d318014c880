internal import DeckEngine
internal import DeckWire

extension Size {
    /// Why a deck of this size has no room for its front card; nil if it has.
    func misfit(for layout: Layout) -> WireError? {
        let least = layout.leastSize
        if height <= least.height { return Self.misfit("height", least.height) }
        if width <= least.width { return Self.misfit("width", least.width) }
        return nil
    }

    private static func misfit(_ side: String, _ least: Double) -> WireError {
        let detail = "must be greater than \(JSONWriter.text(of: least)), so that the front card has a \(side)"
        return WireError(.outOfRange, at: "/viewport/\(side)", detail)
    }
}
