public import DeckEngine

extension JSONWriter {
    /// Writes a deck with every setting spelled out and none of its numbers rounded, so that putting it again changes
    /// nothing.
    public mutating func deck(_ document: DeckDocument) {
        let settings = document.deck.settings
        object { writer in
            writer.member("preset", document.preset.wireName)
            writer.write(document.deck.cards)
            writer.member("loop", settings.loop)
            writer.write(settings.layout)
            writer.write(settings.rules)
            writer.write(settings.motion)
            writer.write(settings.appearance)
            writer.object("overlay") {
                $0.member("start", exactly: settings.overlay.start)
                $0.member("end", exactly: settings.overlay.end)
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
                writer.member("topMargin", exactly: stack.topMargin)
                writer.member("scale", exactly: stack.scale)
                writer.member("from", stack.from.wireName)
            case .stretched(let stretched):
                writer.member("type", "stretched")
                writer.member("visibleCount", stretched.visibleCount)
                writer.member("topOffset", exactly: stretched.topOffset)
                writer.member("horizontalOffset", exactly: stretched.horizontalOffset)
                writer.member("heightRatio", exactly: stretched.heightRatio)
                writer.member("backgroundScale", exactly: stretched.backgroundScale)
                writer.member("backgroundMargin", exactly: stretched.backgroundMargin)
            }
        }
    }

    private mutating func write(_ rules: Rules) {
        object("rules") { writer in
            writer.member("allowedDirections", rules.allowedDirections)
            writer.member("deniedDirections", rules.deniedDirections)
            writer.member("draggable", rules.draggable)
            writer.member("swipeThreshold", exactly: rules.swipeThreshold)
            if let velocity = rules.velocityThreshold {
                writer.member("velocityThreshold", exactly: velocity)
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
            writer.member("rotationMax", exactly: motion.rotationMax)
            writer.member("rotationAngle", exactly: motion.rotationAngle.value)
            writer.member("scaleMin", exactly: motion.scaleMin)
            writer.member("dragSpeed", exactly: motion.dragSpeed.value)
            writer.member("backgroundDuration", exactly: motion.backgroundDuration.value)
            writer.member("appear", motion.appear)
            writer.member("appearDuration", exactly: motion.appearDuration.value)
            writer.member("revertDuration", exactly: motion.revertDuration.value)
            writer.member("revertFadeDuration", exactly: motion.revertFadeDuration.value)
            writer.member("resetSpring", motion.resetSpring)
            writer.member("resetDuration", exactly: motion.resetDuration.value)
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
            $0.member("opaque", exactly: appearance.opaque)
            $0.member("semiTransparent", exactly: appearance.semiTransparent)
            $0.member("transparent", exactly: appearance.transparent)
            $0.member("fadeNext", appearance.fadeNext)
        }
    }
}
