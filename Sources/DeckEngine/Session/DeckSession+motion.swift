// Motion as data: what moves at a moment, for clients that play it by themselves.
extension DeckSession {
    /// Every property that moves at a time, or is going to, as if nothing but time happened after it.
    ///
    /// A finger's own movement is no motion in this sense, nor is what a command that still waits will do.
    public func motion(at time: Instant) -> [MotionStep] {
        let time = max(time, now)
        if let next = nextEffect, next <= time {
            var future = self
            _ = future.advance(to: time)
            return future.motion(at: time)
        }
        var steps: [MotionStep] = []
        if let flip = settings.layout.scrolling {
            steps += step(nil, .scroll, position, time) { .number($0 * flip.spacing) }
        } else {
            for (place, card) in placed.enumerated() {
                steps += self.steps(of: card.motion, Moving(card.index, z: z(ofPlace: place)), time)
            }
        }
        let away = leaving.reversed().filter { $0.end > time }
        for (place, card) in away.enumerated() {
            steps += self.steps(of: card.motion, Moving(card.index, z: placed.count + place), time)
        }
        if let appear {
            steps += step(nil, .scale, appear.scale, time) { .number($0) }
            steps += step(nil, .opacity, appear.opacity, time) { .number($0) }
        }
        if let nudge, nudge.end > time { steps += self.steps(of: nudge) }
        return steps
    }

    /// A card that moves, and how near it is.
    private struct Moving {
        var index: Int
        var z: Int

        init(_ index: Int, z: Int) {
            self.index = index
            self.z = z
        }
    }

    private func steps(of motion: CardMotion, _ card: Moving, _ time: Instant) -> [MotionStep] {
        step(card, .frame, motion.rect, time) { .rect($0) }
            + step(card, .translation, motion.translation, time) { .vector($0) }
            + step(card, .rotation, motion.rotation, time) { .number($0) }
            + step(card, .scale, motion.scale, time) { .number($0) }
            + step(card, .opacity, motion.opacity, time) { .number($0) }
            + overlayStep(of: motion, card, time)
    }

    private func step<Value: Interpolated>(
        _ card: Moving?,
        _ property: MotionStep.Property,
        _ track: Track<Value>,
        _ time: Instant,
        _ wrap: (Value) -> MotionStep.Value
    ) -> [MotionStep] {
        guard track.end > time else { return [] }
        return [
            MotionStep(
                card: card?.index,
                z: card?.z,
                property: property,
                from: wrap(track.from),
                to: wrap(track.to),
                start: track.start,
                duration: track.duration,
                curve: track.easing.curve(over: track.duration)
            )
        ]
    }

    /// An overlay's opacity follows its progress on a curve of its own, so that the two are followed together.
    private func overlayStep(of motion: CardMotion, _ card: Moving, _ time: Instant) -> [MotionStep] {
        let track = motion.overlayProgress
        guard track.end > time, let direction = motion.overlayDirection else { return [] }
        let curve = settings.overlay.range(direction).curve
        let (from, to) = (curve.alpha(at: track.from), curve.alpha(at: track.to))
        let isPlain = curve == .linear || from == to
        func followed() -> MotionCurve {
            MotionCurve(following: { part in
                let progress = track.value(at: track.start + Milliseconds(part * track.duration.value))
                return (curve.alpha(at: progress) - from) / (to - from)
            })
        }
        return [
            MotionStep(
                card: card.index,
                z: card.z,
                property: .overlayAlpha,
                from: .number(from),
                to: .number(to),
                start: track.start,
                duration: track.duration,
                curve: isPlain ? track.easing.curve(over: track.duration) : followed()
            )
        ]
    }

    /// A hint goes out and comes back: every property from where it is to the farthest, on a curve that ends at 0.
    private func steps(of nudge: Nudge) -> [MotionStep] {
        let half = nudge.start + Milliseconds(Nudge.duration.value / 2)
        let farthest = nudge.drag(at: half, cardSize: slot(at: 0).size)
        let wave = MotionCurve(following: { part in
            let sine = sineAndCosine(Radians(.pi * part)).sine
            return sine * sine
        })
        var steps: [MotionStep] = []
        for (place, card) in placed.enumerated() {
            let rest = pose(ofPlace: place, in: placed, held: nil, at: half)
            let lean = pose(ofPlace: place, in: placed, held: farthest, at: half)
            func add(_ property: MotionStep.Property, _ from: MotionStep.Value, _ to: MotionStep.Value) {
                guard from != to else { return }
                steps.append(
                    MotionStep(
                        card: card.index,
                        z: z(ofPlace: place),
                        property: property,
                        from: from,
                        to: to,
                        start: nudge.start,
                        duration: Nudge.duration,
                        curve: wave
                    )
                )
            }
            add(.frame, .rect(rest.rect), .rect(lean.rect))
            add(.translation, .vector(rest.translation), .vector(lean.translation))
            add(.rotation, .number(rest.rotation.value), .number(lean.rotation.value))
            add(.scale, .number(rest.scale), .number(lean.scale))
            add(.opacity, .number(rest.opacity), .number(lean.opacity))
            add(.overlayAlpha, .number(alpha(of: rest.overlay)), .number(alpha(of: lean.overlay)))
        }
        return steps
    }

    private func alpha(of overlay: OverlayState?) -> Double {
        overlay.map { settings.overlay.range($0.direction).curve.alpha(at: $0.progress) } ?? 0
    }
}
