// Which cards are in which places, and how they get there.
extension DeckSession {
    /// How many cards are shown in their places.
    private var windowCount: Int {
        let count = deck.cards.count
        return min(settings.layout.visibleCount, settings.loop ? count : max(count - currentIndex, 0))
    }

    private func index(at place: Int) -> Int {
        settings.loop ? (currentIndex + place) % deck.cards.count : currentIndex + place
    }

    /// Puts the cards from the current one on into their places at once.
    mutating func rebuild(appears: Bool, _ notifications: inout [Notification]) {
        placed = (0..<windowCount).map { place in
            let opacity = settings.appearance.restOpacity(at: place)
            return PlacedCard(
                index: index(at: place),
                motion: CardMotion(restingIn: slot(at: place), opacity: opacity)
            )
        }
        guard let front = placed.first else { return }
        notify(.didShow(index: front.index), &notifications)
        if appears { beginAppearing() }
    }

    private mutating func beginAppearing() {
        let animation = AppearAnimation(start: now, motion: settings.motion)
        appear = animation
        scheduled.removeAll { $0.effect == .appeared }
        schedule(.appeared, at: max(now, animation.scale.end))
    }

    /// Sends every card from where it was seen last to the place it belongs to now; cards that are new come in behind.
    ///
    /// - Parameters:
    ///   - seen: the cards as they were placed until now.
    ///   - held: the drag that moved them, if any.
    ///   - frontHasLeft: whether the front one was swiped; a small loop then brings it in anew behind the others.
    mutating func restage(from seen: [PlacedCard], held: Drag?, frontHasLeft: Bool = false) {
        let staying = seen.indices.dropFirst(frontHasLeft ? 1 : 0)
        placed = (0..<windowCount).map { place in
            let index = index(at: place)
            guard let formerPlace = staying.first(where: { seen[$0].index == index }) else {
                return entering(index, at: place)
            }
            var card = seen[formerPlace]
            let pose = pose(ofPlace: formerPlace, in: seen, held: held, at: now)
            card.motion.rect = travel(from: pose.rect, toPlace: place)
            card.motion.opacity = fade(from: pose.opacity, toPlace: place)
            return card
        }
    }

    private func entering(_ index: Int, at place: Int) -> PlacedCard {
        var motion = CardMotion(restingIn: slot(at: place), opacity: 0)
        motion.opacity = fade(from: 0, toPlace: place)
        return PlacedCard(index: index, motion: motion)
    }

    private func travel(from rect: Rect, toPlace place: Int) -> Track<Rect> {
        let target = slot(at: place)
        if let spring = settings.motion.backgroundSpring {
            return Track(from: rect, to: target, start: now, spring: Spring(spring))
        }
        return Track(from: rect, to: target, start: now, duration: settings.motion.backgroundDuration, easing: .ease)
    }

    private func fade(from opacity: Double, toPlace place: Int) -> Track<Double> {
        Track(
            from: opacity,
            to: settings.appearance.restOpacity(at: place),
            start: now,
            duration: settings.motion.backgroundDuration,
            easing: .ease
        )
    }

    /// When the card that has just begun to move to the front is there. A plain animation takes its time even where
    /// there is no way to go; a spring does not (as Pop has it).
    var frontArrival: Milliseconds {
        guard settings.motion.backgroundSpring != nil else { return now + settings.motion.backgroundDuration }
        return max(now, placed.first?.motion.rect.end ?? now)
    }
}
