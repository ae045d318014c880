import Testing

@testable import DeckEngine

/// The invariants after every event of any session.
struct InvariantTests {
    @Test(arguments: RandomSession.seeds)
    func everyFrameIsSound(seed: UInt64) throws {
        let plan = RandomSession(seed: seed)
        var session = plan.begin()
        for (number, step) in plan.steps.enumerated() {
            _ = try session.apply(step.event, at: step.time)
            for later: Milliseconds in [0, 1, 60, 199, 320, 700, 1500, 40_000] {
                let frame = session.frame(at: session.now + later)
                #expect(frame.faults == [], "step \(number), \(later.value) ms later")
            }
            try checkRest(of: session)
        }
    }

    /// Nothing moves from `settlesAt` on, something moves before, and cards at rest are in their slots.
    private func checkRest(of session: DeckSession) throws {
        let frame = session.shown
        let end = frame.settlesAt ?? session.now
        let rest = session.frame(at: end)
        #expect(rest.settlesAt == nil)
        let later = session.frame(at: end + 3000)
        #expect(later.cards == rest.cards)
        #expect(later.lastNotification == rest.lastNotification)
        if let settlesAt = frame.settlesAt {
            #expect(session.frame(at: Instant(settlesAt.milliseconds.nextDown)).settlesAt == settlesAt)
            // During a drag, cards behind may be anywhere up to the farthest point of a drag.
            let changes = rest.cards != frame.cards || rest.lastNotification > frame.lastNotification
            #expect(changes || frame.dragging)
        }
        guard !rest.dragging else { return }
        #expect(rest.leaving.isEmpty)
        let scrolls = session.settings.layout.scrolling != nil
        for (place, card) in rest.placed.enumerated() {
            #expect(card.role == (place == 0 ? .front : .background))
            #expect(card.matrix == .identity)
            #expect(card.anchor == (scrolls ? UnitPoint(x: 0.5, y: 1) : .center))
            #expect(card.overlay == nil)
            #expect(card.frame == session.slots[place].rect)
            let isOpaque = place == 0 || scrolls || !session.settings.appearance.fadeNext
            #expect(card.opacity == (isOpaque ? 1 : session.settings.appearance.semiTransparent))
        }
    }

    @Test(arguments: RandomSession.seeds)
    func theVersionCountsAppliedEventsAndRefusedOnesLeaveNoTrace(seed: UInt64) throws {
        let plan = RandomSession(seed: seed)
        var session = plan.begin()
        for step in plan.steps {
            var untouched = session
            let notifications = untouched.advance(to: step.time)
            let outcome = try session.apply(step.event, at: step.time)
            #expect(outcome.version == session.version)
            #expect(session.version == untouched.version + (outcome.isApplied ? 1 : 0))
            #expect(session.frame(at: step.time + 5000).version == session.version)
            if !outcome.isApplied {
                #expect(session == untouched)
                #expect(outcome.notifications == notifications)
                #expect(outcome.ending == nil)
                #expect(outcome.verdictChanges.isEmpty)
            }
        }
    }

    @Test(arguments: RandomSession.seeds)
    func notificationsAreGaplessInOrderAndCompleteWithTheAnswer(seed: UInt64) throws {
        let plan = RandomSession(seed: seed)
        var session = plan.begin()
        var (last, clock) = (session.lastNotification, session.now)
        for step in plan.steps {
            for notification in try session.apply(step.event, at: step.time).notifications {
                #expect(notification.at >= clock)
                #expect(notification.at <= step.time)
                clock = notification.at
                if case .dragged = notification.kind {
                    #expect(notification.sequence == nil)
                } else {
                    #expect(notification.sequence == last + 1)
                    last += 1
                }
            }
            #expect(session.lastNotification == last)
            #expect(session.shown.lastNotification == last)
        }
    }

    @Test(arguments: RandomSession.seeds)
    func everyVerdictIsAnnouncedOnceAndKeptUntilItIsTakenBack(seed: UInt64) throws {
        let plan = RandomSession(seed: seed)
        var session = plan.begin()
        var standing: [Verdict] = []
        var (decided, told): ([String], [String]) = ([], [])
        for step in plan.steps {
            let outcome = try session.apply(step.event, at: step.time)
            told += outcome.trace
            switch outcome.verdictChanges.first {
            case .given(let verdict):
                standing.append(verdict)
                decided.append("didSwipe \(verdict.index) \(verdict.direction)")
            case .reverted(let verdict):
                let given = standing.popLast()
                #expect(given?.sequence == verdict.sequence && given?.cardID == verdict.cardID)
                decided.append("didRewind \(verdict.index)")
            case nil: break
            }
            if case .reset = step.event { standing = [] }
            if case .reload(let deck) = step.event {
                let ids = (0..<deck.cards.count).map { deck.cards[$0].id }
                standing.removeAll { !ids.contains($0.cardID) }
            }
            #expect(session.settled.pile.lastSwipe?.verdict == standing.last?.sequence)
            #expect(session.settled.revertibleCount == standing.count)
        }
        told += session.advance(to: session.now + 100_000).trace
        #expect(told.filter { $0.hasPrefix("didSwipe") || $0.hasPrefix("didRewind") } == decided)
    }
}

extension Frame {
    /// The invariants of a frame.
    var faults: [String] {
        var faults: [String] = []
        func check(_ condition: Bool, _ fault: String) { if !condition { faults.append(fault) } }
        check(exhausted == (currentIndex >= cardCount), "exhausted")
        check(placed.filter { $0.role != .background }.count == (exhausted ? 0 : 1), "one front card")
        // While a carousel is scrolled, cards come in behind and tip over in front.
        let scrolls = cards.contains { $0.flip != nil }
        let expected = min(visibleCount, loop ? cardCount : cardCount - currentIndex)
        check(scrolls || placed.count == expected, "all cards")
        check(Array(cards.prefix(placed.count)) == placed, "leaving cards last")
        check(Set(placed.map(\.index)).count == placed.count, "no card in two places")
        // Cards that have lost a slot behind the front one fade below all others.
        let below = (placed.last ?? cards.first)?.z ?? 0
        let (first, end) = (below + placed.count, cards.count)
        let depths = (below..<first).reversed() + Array(first..<end) + (0..<below).reversed()
        check(cards.map(\.z) == depths, "the front over those behind, and who left first on top")
        check(placed.dropFirst().allSatisfy { !$0.interactive }, "cards behind take no fingers")
        check(leaving.allSatisfy { !$0.interactive }, "leaving cards take no fingers")
        check(cards.allSatisfy { (0...1).contains($0.opacity) }, "opacity")
        check(cards.allSatisfy { (0...1).contains($0.overlay?.progress ?? 0) }, "overlay")
        check(cards.allSatisfy { $0.frame.width >= 0 && $0.frame.height >= 0 }, "size")
        check(cards.allSatisfy(\.isFinite), "finite")
        check(placed.first.map { $0.index == currentIndex } ?? true, "the current card is in front")
        check(settlesAt.map { $0 > at } ?? true, "settlesAt")
        return faults
    }
}

extension FrameCard {
    /// Whether all of its numbers are finite.
    var isFinite: Bool {
        [
            frame.x, frame.y, frame.width, frame.height, matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty,
            anchor.x, anchor.y, contentScale.x, contentScale.y, opacity, overlay?.progress ?? 0,
        ].allSatisfy(\.isFinite)
    }
}
