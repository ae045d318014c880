// Which cards are in which places, and how they get there.
extension DeckSession {
    /// How many cards are kept in their places.
    private var windowCount: Int {
        let count = deck.cards.count
        let shown = settings.layout.scrolling == nil ? settings.layout.visibleCount : 1
        return min(shown, settings.loop ? count : max(count - currentIndex, 0))
    }

    private func index(at place: Int) -> Int {
        settings.loop ? (currentIndex + place) % deck.cards.count : currentIndex + place
    }

    /// Puts the cards from the current one on into their places at once.
    mutating func rebuild(appears: Bool, _ notifications: inout [DeckNotification]) {
        position = Track(still: Double(currentIndex))
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

    mutating func beginAppearing() {
        let animation = AppearAnimation(start: now, motion: settings.motion)
        appear = animation
        scheduled.removeAll { $0.effect == .appeared }
        schedule(.appeared, at: max(now, animation.end))
    }

    /// Sends every card from where it was seen last to the place it belongs to now; cards that are new come in behind.
    ///
    /// - Parameters:
    ///   - seen: the cards as they were placed until now, by the indices they have now.
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
            card.motion.opacity = fade(from: pose.opacity, to: settings.appearance.restOpacity(at: place))
            return card
        }
    }

    private func entering(_ index: Int, at place: Int) -> PlacedCard {
        var motion = CardMotion(restingIn: slot(at: place), opacity: 0)
        motion.opacity = fade(from: 0, to: settings.appearance.restOpacity(at: place))
        return PlacedCard(index: index, motion: motion)
    }

    private func travel(from rect: Rect, toPlace place: Int) -> Track<Rect> {
        let target = slot(at: place)
        if settings.motion.reduced { return Track(still: target) }
        if let spring = settings.motion.backgroundSpring {
            return Track(from: rect, to: target, start: now, spring: Spring(spring))
        }
        return Track(from: rect, to: target, start: now, duration: settings.motion.backgroundDuration, easing: .ease)
    }

    func fade(from opacity: Double, to target: Double) -> Track<Double> {
        let duration = settings.motion.backgroundDuration
        return Track(from: opacity, to: target, start: now, duration: duration, easing: .ease)
    }

    /// When the card that has just begun to move to the front is there. A plain animation takes its time even where
    /// there is no way to go; a spring does not (as Pop has it).
    var frontArrival: Instant {
        if settings.layout.scrolling != nil { return max(now, position.end) }
        guard settings.motion.backgroundSpring != nil else { return now + settings.motion.backgroundDuration }
        return max(now, placed.first?.motion.rect.end ?? now)
    }

    /// Whether the deck still has a card that is on its way out.
    func holds(_ card: LeavingCard) -> Bool {
        card.index < deck.cards.count && deck.cards[card.index].id == card.id
    }

    mutating func addLeaving(_ card: LeavingCard) {
        leaving.append(card)
        if leaving.count > EngineLimits.leavingCards { leaving.removeFirst() }
    }

    /// Lets a card that has lost its place fade where it is.
    mutating func fadeOut(_ card: PlacedCard, id: String) {
        var motion = CardMotion(holding: card.motion.pose(at: now))
        motion.opacity = fade(from: motion.opacity.to, to: 0)
        addLeaving(
            LeavingCard(
                index: card.index,
                id: id,
                allowedDirections: [],
                motion: motion,
                appear: appear,
                isSwipedByCall: false,
                end: motion.opacity.end
            )
        )
    }
}
