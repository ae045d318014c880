internal import DeckEngine
internal import DeckWire

extension Size {
    /// Why a deck of this size has no room for its front card; nil if it has.
    func misfit(for layout: Layout) -> WireError? {
        let least = layout.leastSize
        if height <= least.height {
            let detail = "must be greater than \(least.height), so that the front card has a height"
            return WireError(.outOfRange, at: "/viewport/height", detail)
        }
        if width <= least.width {
            let detail = "must be greater than \(least.width), so that the front card has a width"
            return WireError(.outOfRange, at: "/viewport/width", detail)
        }
        return nil
    }
}
