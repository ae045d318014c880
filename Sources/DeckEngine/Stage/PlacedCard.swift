/// A card in a slot of a stack.
struct PlacedCard: Sendable, Hashable {
    var card: CardIdentity
    #if hasFeature(Embedded)
    /// The code that copies a motion is long, so in WebAssembly it is behind a reference.
    private var sharedMotion: Shared<CardMotion>
    var motion: CardMotion {
        unsafeAddress { sharedMotion.address }
        unsafeMutableAddress { sharedMotion.ownAddress() }
    }

    init(card: CardIdentity, motion: CardMotion) {
        self.card = card
        sharedMotion = Shared(motion)
    }
    #else
    var motion: CardMotion
    #endif
}

extension PlacedCard {
    /// A card at rest in a slot.
    @inline(never)
    init(_ card: CardIdentity, restingIn slot: Int, in scene: Scene) {
        let opacity = scene.settings.appearance.restOpacity(inSlot: slot)
        self.init(card: card, motion: CardMotion(restingIn: scene.rect(ofSlot: slot), opacity: opacity))
    }
}
