/// The settings and the sizes with which a session's cards are shown.
struct Scene: Sendable, Hashable {
    var sharedSettings: SharedSettings
    /// The deck's size.
    var viewport: Size
    /// The area that a swiped card must leave.
    var screen: Size

    var settings: DeckSettings {
        @inline(__always) unsafeAddress { sharedSettings.address }
        set { sharedSettings = SharedSettings(newValue) }
    }

    /// The rectangle of a whole slot, 0 for the front card's.
    func rect(ofSlot number: Int) -> Rect {
        settings.layout.slot(at: Double(number), in: viewport).rect
    }

    /// The way of a rectangle to a slot. One that is on its way there continues.
    func travel(_ former: Track<Rect>, toSlot slot: Int, at now: Instant) -> Track<Rect> {
        let target = rect(ofSlot: slot)
        guard former.to != target else { return former }
        let rect = former.value(at: now)
        if settings.motion.reduced { return Track(still: target) }
        if let spring = settings.motion.backgroundSpring {
            return Track(from: rect, to: target, start: now, spring: Spring(spring))
        }
        return Track(from: rect, to: target, start: now, duration: settings.motion.backgroundDuration, curve: .ease)
    }

    func fade(from opacity: Double, to target: Double, at now: Instant) -> Track<Double> {
        Track(from: opacity, to: target, start: now, duration: settings.motion.backgroundDuration, curve: .ease)
    }
}
