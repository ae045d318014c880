public import DeckEngine

extension JSONWriter {
    /// Writes every setting, as members of the open object.
    public mutating func members(of settings: DeckSettings) {
        member("loop", settings.loop)
        write(settings.layout)
        write(settings.rules)
        write(settings.motion)
        write(settings.appearance)
        write(settings.overlay)
    }

    /// Writes what a patch can change of a session, and its layout, as members of the open object.
    public mutating func settings(of session: DeckSession) {
        member("viewport", session.viewport)
        member("screen", session.screen)
        members(of: session.deck.settings)
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
            case .flip(let flip):
                writer.member("type", "flip")
                writer.member("cardWidth", exactly: flip.cardWidth)
                writer.member("cardHeight", exactly: flip.cardHeight)
                writer.member("spacing", exactly: flip.spacing)
                writer.member("scaleStep", exactly: flip.scaleStep)
                writer.member("perspective", exactly: flip.perspective)
            }
        }
    }

    private mutating func write(_ rules: Rules) {
        object("rules") { writer in
            writer.member("allowedDirections", rules.allowedDirections)
            writer.member("deniedDirections", rules.deniedDirections)
            if let directions = rules.dragDirections {
                writer.member("dragDirections", directions)
            } else {
                writer.nullMember("dragDirections")
            }
            writer.member("dragAxis", rules.dragAxis.wireName)
            writer.member("draggable", rules.draggable)
            writer.member("swipeThreshold", exactly: rules.swipeThreshold)
            writer.object("swipeThresholds") { writer in
                for direction in Direction.allCases {
                    guard let threshold = rules.swipeThresholds[direction] else { continue }
                    writer.member(direction.wireName, exactly: threshold)
                }
            }
            if let velocity = rules.velocityThreshold {
                writer.member("velocityThreshold", exactly: velocity)
            } else {
                writer.nullMember("velocityThreshold")
            }
            writer.member("pullBackCancels", rules.pullBackCancels)
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
            writer.member("exitFollowsFling", motion.exitFollowsFling)
            writer.member("snapSpring", motion.snapSpring)
            writer.member("reduced", motion.reduced)
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

    private mutating func write(_ overlay: OverlaySettings) {
        object("overlay") { writer in
            writer.members(of: overlay.range)
            writer.object("directions") { writer in
                for direction in Direction.allCases {
                    guard let range = overlay.directions[direction] else { continue }
                    writer.object(direction.wireName) { $0.members(of: range) }
                }
            }
        }
    }

    private mutating func members(of range: OverlayRange) {
        member("start", exactly: range.start)
        member("end", exactly: range.end)
        member("curve", range.curve.wireName)
    }
}
