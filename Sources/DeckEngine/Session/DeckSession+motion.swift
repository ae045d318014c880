// Motion as data: everything that moves at a time, for clients that animate by themselves.
extension DeckSession {
    /// Every property that moves at a time or later, if nothing but time happens after it.
    ///
    /// The movement by a finger and the effects of queued commands are not included.
    public func motion(at time: Instant) -> [MotionStep] {
        let time = max(time, now)
        if let next = nextEffect, next <= time { return advanced(to: time).motion(at: time) }
        return motion(at: time, beside: frame(at: time))
    }

    /// - Parameters:
    ///   - time: no earlier than `now`, and before the next effect.
    ///   - frame: the frame at that time.
    func motion(at time: Instant, beside frame: @autoclosure () -> Frame) -> [MotionStep] {
        var steps = MotionSteps(of: self, at: time)
        let below = stage.leavingCards.countBelow(at: time)
        switch stage.kind {
        case .stack(let stack):
            for (slot, placed) in stack.cards.enumerated() {
                guard let index = pile.index(of: placed.card) else { continue }
                steps.add(placed.motion, of: index, z: below + stack.count - 1 - slot)
            }
            if let nudge = stage.nudge, nudge.end > time { steps.add(nudge, stack, above: below) }
        case .carousel(let carousel, let layout):
            steps.add(nil, .scroll, carousel.track) { .number($0 * layout.spacing) }
        }
        let count = stage.leaving.count { $0.departure.end > time }
        if count > 0 {
            stage.leavingCards.forEach(at: time, above: frame().cards.count - count + below) { steps.add($0, z: $1) }
        }
        if let appear = stage.appear {
            steps.add(nil, .scale, appear.scale) { .number($0) }
            steps.add(nil, .opacity, appear.opacity) { .number($0) }
        }
        return steps.steps
    }
}

/// Collects what moves at a time.
private struct MotionSteps {
    private(set) var steps: [MotionStep] = []
    private let session: DeckSession
    private let time: Instant

    init(of session: DeckSession, at time: Instant) {
        self.session = session
        self.time = time
    }

    /// A card that moves, and its position in the stacking order.
    struct Moving {
        var index: Int
        var z: Int
    }

    /// A card that is no longer in the deck has its last index, as in the frame.
    mutating func add(_ card: LeavingCard, z: Int) {
        add(card.departure.motion, of: session.pile.index(of: card.card) ?? card.lastIndex, z: z)
    }

    mutating func add(_ motion: CardMotion, of index: Int, z: Int) {
        let card = Moving(index: index, z: z)
        add(card, .frame, motion.rect) { .rect($0) }
        add(card, .translation, motion.translation) { .vector($0) }
        add(card, .rotation, motion.rotation) { .number($0) }
        add(card, .scale, motion.scale) { .number($0) }
        add(card, .opacity, motion.opacity) { .number($0) }
        add(card, .turn, motion.turn) { .number($0) }
        addOverlay(of: motion, card)
    }

    mutating func add<Value: Interpolated>(
        _ card: Moving?,
        _ property: MotionStep.Property,
        _ track: Track<Value>,
        _ wrap: (Value) -> MotionStep.Value
    ) {
        guard track.end > time else { return }
        append(card, property, wrap(track.from), wrap(track.to), track.start, track.duration, track.curve)
    }

    private mutating func append(
        _ card: Moving?,
        _ property: MotionStep.Property,
        _ from: MotionStep.Value,
        _ to: MotionStep.Value,
        _ start: Instant,
        _ duration: Milliseconds,
        _ curve: Curve,
        points: [CurvePoint]? = nil
    ) {
        steps.append(
            MotionStep(
                card: card?.index,
                z: card?.z,
                property: property,
                from: from,
                to: to,
                start: start,
                duration: duration,
                curve: curve,
                ownPoints: points
            )
        )
    }

    /// An overlay's opacity follows its progress on a separate curve, so the two are approximated together.
    private mutating func addOverlay(of motion: CardMotion, _ card: Moving) {
        let track = motion.overlayProgress
        guard track.end > time, let direction = motion.overlayDirection else { return }
        let curve = session.settings.overlay.range(direction).curve
        let (from, to) = (curve.progress(at: track.from), curve.progress(at: track.to))
        let points: [CurvePoint]? =
            curve == .linear || from == to
            ? nil
            : CurvePoint.following { part in
                let progress = track.value(at: track.start + Milliseconds(part * track.duration.value))
                return (curve.progress(at: progress) - from) / (to - from)
            }
        append(
            card,
            .overlayAlpha,
            .number(from),
            .number(to),
            track.start,
            track.duration,
            track.curve,
            points: points
        )
    }

    // MARK: Hints

    /// A hint goes out and comes back: every property from where it is to the farthest, on a curve that ends at 0.
    mutating func add(_ nudge: Nudge, _ stack: StackStage, above below: Int) {
        // At the end of time a hint is cut off and is not described.
        guard nudge.start + Nudge.duration <= .last else { return }
        let scene = session.scene
        let farthest = nudge.lean(progress: Nudge.reach, in: scene)
        let wave = Self.wave { $0 }
        for (slot, placed) in stack.cards.enumerated() {
            guard let index = session.pile.index(of: placed.card) else { continue }
            let card = Moving(index: index, z: below + stack.count - 1 - slot)
            let rest = stack.pose(inSlot: slot, nil, in: scene, at: nudge.start)
            let lean = stack.pose(inSlot: slot, farthest, in: scene, at: nudge.start)
            func add(
                _ property: MotionStep.Property,
                _ from: MotionStep.Value,
                _ to: MotionStep.Value,
                _ points: [CurvePoint]
            ) {
                guard from != to else { return }
                append(card, property, from, to, nudge.start, Nudge.duration, .linear, points: points)
            }
            add(.frame, .rect(rest.rect), .rect(lean.rect), wave)
            add(.translation, .vector(rest.translation), .vector(lean.translation), wave)
            add(.rotation, .number(rest.rotation.value), .number(lean.rotation.value), wave)
            add(.scale, .number(rest.scale), .number(lean.scale), wave)
            add(.opacity, .number(rest.opacity), .number(lean.opacity), wave)
            let (low, high) = (alpha(of: rest), alpha(of: lean))
            guard slot == 0, low != high else { continue }
            // Between the two an overlay's opacity need not follow the way in a straight line.
            add(
                .overlayAlpha,
                .number(low),
                .number(high),
                Self.wave { part in
                    let held = nudge.lean(progress: Nudge.reach * part, in: scene)
                    let pose = stack.pose(inSlot: 0, held, in: scene, at: nudge.start)
                    return (alpha(of: pose) - low) / (high - low)
                }
            )
        }
    }

    /// A curve that goes out and comes back, sin² of time.
    private static func wave(_ progress: (Double) -> Double) -> [CurvePoint] {
        CurvePoint.following { part in
            let sine = sineAndCosine(Radians(.pi * part)).sine
            return progress(sine * sine)
        }
    }

    private func alpha(of pose: Pose) -> Double {
        pose.overlay.map { session.settings.overlay.range($0.direction).curve.progress(at: $0.progress) } ?? 0
    }
}
