// Verdicts taken back, and given again.
extension DeckSession {
    mutating func revert(_ style: RevertStyle, count: Int, _ outcome: inout Outcome) {
        guard count > 0, count <= history.count else {
            outcome.refusal = .nothingToRevert
            return
        }
        guard history.suffix(count).allSatisfy({ deck.cards[$0.index].undoable }) else {
            outcome.refusal = .notUndoable
            return
        }
        endDrag(&outcome.notifications)
        for _ in 0..<count { revertLast(style, &outcome) }
    }

    private mutating func revertLast(_ style: RevertStyle, _ outcome: inout Outcome) {
        tellArrivals(&outcome.notifications)
        guard let swipe = history.removeLast() else { return }
        undone.append(swipe)
        if settings.loop { sentBack = 0 }
        let index = swipe.index
        let steps = stepsBack(to: index)
        currentIndex = index
        let motion = revertingMotion(swipe, style)
        restage(from: placed, held: nil)
        if settings.layout.scrolling != nil {
            glide(to: wholePlace - Double(steps))
        } else {
            placed[0] = PlacedCard(index: index, motion: motion)
        }
        schedule(.rewound, at: settings.layout.scrolling == nil ? max(now, motion.end) : frontArrival)
        lastVerdictChange = .reverted(swipe.verdict)
        outcome.direction = swipe.verdict.direction
        outcome.index = index
        outcome.verdictChanges.append(.reverted(swipe.verdict))
    }

    /// How many cards back an index is. The card before is one back, also where that is as near the other way round, and
    /// the only card of a loop comes round again.
    private func stepsBack(to index: Int) -> Int {
        let count = deck.cards.count
        return settings.loop && (index + 1) % count == currentIndex ? 1 : -shortestWay(to: index)
    }

    /// A reverted card turns round where it still flies, and else comes in by the given style.
    private mutating func revertingMotion(_ swipe: PastSwipe, _ style: RevertStyle) -> CardMotion {
        let appearance = settings.appearance
        var pose = Pose(rect: slot(at: 0), opacity: appearance.transparent)
        if let direction = style.direction(of: swipe.verdict) {
            pose.translation = direction.exitTranslation(viewport: viewport, screen: screen)
            pose.rotation = direction.swipeRotation
        }
        if let flying = leaving.lastIndex(where: { $0.index == swipe.index && holds($0) }) {
            pose = leaving.remove(at: flying).motion.pose(at: now)
        }
        if settings.motion.reduced {
            pose = Pose(rect: slot(at: 0), opacity: pose.opacity)
        }
        let duration = style == .fade ? settings.motion.revertFadeDuration : settings.motion.revertDuration
        var motion = CardMotion(holding: pose)
        func back<Value: Interpolated>(_ from: Value, to target: Value) -> Track<Value> {
            Track(from: from, to: target, start: now, duration: duration, easing: .ease)
        }
        motion.rect = back(pose.rect, to: slot(at: 0))
        motion.translation = back(pose.translation, to: .zero)
        motion.rotation = back(pose.rotation.value, to: 0)
        motion.scale = back(pose.scale, to: 1)
        motion.opacity = back(pose.opacity, to: appearance.opaque)
        motion.overlayProgress = back(pose.overlay?.progress ?? 0, to: 0)
        return motion
    }

    mutating func redo(count: Int, acceptedAt: Instant, _ outcome: inout Outcome) {
        guard count > 0, count <= undone.count else {
            outcome.refusal = .nothingToRedo
            return
        }
        endDrag(&outcome.notifications)
        for _ in 0..<count {
            tellArrivals(&outcome.notifications)
            guard let swipe = undone.removeLast() else { return }
            bring(swipe.index)
            sendOut(swipe.verdict.direction, .redo, acceptedAt: acceptedAt, &outcome)
        }
    }
}

extension RevertStyle {
    fileprivate func direction(of verdict: Verdict) -> Direction? {
        switch self {
        case .fade: nil
        case .from(let direction): direction
        case .origin: verdict.direction
        }
    }
}
