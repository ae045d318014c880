public import DeckEngine

extension JSONWriter {
    /// Writes a deck with every setting spelled out, so that putting it again changes nothing.
    ///
    /// - Parameter id: the deck's id; nil: the deck of one session, which has none.
    public mutating func deck(_ document: DeckDocument, id: String?) {
        let settings = document.deck.settings
        object { writer in
            if let id { writer.member("id", id) }
            writer.member("preset", document.preset.wireName)
            writer.write(document.deck.cards)
            writer.member("loop", settings.loop)
            writer.write(settings.layout)
            writer.write(settings.rules)
            writer.write(settings.motion)
            writer.write(settings.appearance)
            writer.object("overlay") {
                $0.member("start", settings.overlay.start)
                $0.member("end", settings.overlay.end)
            }
        }
    }

    private mutating func write(_ cards: CardList) {
        switch cards {
        case .numbered(let count): member("count", count)
        case .listed(let cards):
            array("cards") { writer in
                for card in cards { writer.object { $0.members(of: card) } }
            }
        }
    }

    /// Writes what a card was put with, as members of the open object.
    public mutating func members(of card: Card) {
        member("id", card.id)
        if let data = card.data { member("data", raw: data) }
        if let label = card.label { member("label", label) }
        if let directions = card.allowedDirections { member("allowedDirections", directions) }
        if let directions = card.deniedDirections { member("deniedDirections", directions) }
        if let draggable = card.draggable { member("draggable", draggable) }
        if !card.undoable { member("undoable", false) }
    }

    private mutating func write(_ layout: Layout) {
        object("layout") { writer in
            switch layout {
            case .stack(let stack):
                writer.member("type", "stack")
                writer.member("visibleCount", stack.visibleCount)
                writer.member("topMargin", stack.topMargin)
                writer.member("scale", stack.scale)
                writer.member("from", stack.from.wireName)
            case .stretched(let stretched):
                writer.member("type", "stretched")
                writer.member("visibleCount", stretched.visibleCount)
                writer.member("topOffset", stretched.topOffset)
                writer.member("horizontalOffset", stretched.horizontalOffset)
                writer.member("heightRatio", stretched.heightRatio)
                writer.member("backgroundScale", stretched.backgroundScale)
                writer.member("backgroundMargin", stretched.backgroundMargin)
            }
        }
    }

    private mutating func write(_ rules: Rules) {
        object("rules") { writer in
            writer.member("allowedDirections", rules.allowedDirections)
            writer.member("deniedDirections", rules.deniedDirections)
            writer.member("draggable", rules.draggable)
            writer.member("swipeThreshold", rules.swipeThreshold)
            if let velocity = rules.velocityThreshold {
                writer.member("velocityThreshold", velocity)
            } else {
                writer.nullMember("velocityThreshold")
            }
            writer.member("whileAnimating", rules.whileAnimating.wireName)
            writer.member("refillAt", rules.refillAt)
        }
    }

    private mutating func write(_ motion: MotionSettings) {
        object("motion") { writer in
            writer.member("tracking", motion.tracking.wireName)
            writer.member("rotationMax", motion.rotationMax)
            writer.member("rotationAngle", motion.rotationAngle.value)
            writer.member("scaleMin", motion.scaleMin)
            writer.member("dragSpeed", motion.dragSpeed)
            writer.member("backgroundDuration", motion.backgroundDuration)
            writer.member("appear", motion.appear)
            writer.member("appearDuration", motion.appearDuration)
            writer.member("revertDuration", motion.revertDuration)
            writer.member("revertFadeDuration", motion.revertFadeDuration)
            writer.member("resetSpring", motion.resetSpring)
            writer.member("resetDuration", motion.resetDuration)
            if let spring = motion.backgroundSpring {
                writer.member("backgroundSpring", spring)
            } else {
                writer.nullMember("backgroundSpring")
            }
            writer.member("moveBackground", motion.moveBackground)
        }
    }

    private mutating func write(_ appearance: Appearance) {
        object("appearance") {
            $0.member("opaque", appearance.opaque)
            $0.member("semiTransparent", appearance.semiTransparent)
            $0.member("transparent", appearance.transparent)
            $0.member("fadeNext", appearance.fadeNext)
        }
    }
}
