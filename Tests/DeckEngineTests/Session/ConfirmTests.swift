import Testing

@testable import DeckEngine

/// Swipes that wait until they are confirmed or denied.
struct ConfirmTests {
    private func make(_ count: Int = 6, change: (inout DeckSettings) -> Void = { _ in }) -> DeckSession {
        DeckSession.make(count) {
            $0.rules.confirm = [.right]
            change(&$0)
        }
    }

    @Test func aSwipeWaitsUntilItIsConfirmed() throws {
        var session = make()
        try session.drag(.changed, .x(140), at: 0)
        let held = session.shown
        #expect(held.drag?.decision == .waits(.right))
        let release = try session.drag(.ended, velocity: .zero, at: 100)
        #expect(release.ending == .pending)
        #expect(release.direction == .right)
        #expect(release.index == 0)
        #expect(release.verdictChanges.isEmpty)
        #expect(release.trace == ["needsConfirmation 0 right", "panFinished 0"])
        // The cards stay where the finger released them.
        #expect(session.frame(at: 5000).cards.map(\.matrix) == held.cards.map(\.matrix))
        #expect(session.frame(at: 5000).cards.map(\.frame) == held.cards.map(\.frame))
        let pending = try #require(session.shown.pending)
        #expect(pending.index == 0 && pending.id == "0" && pending.direction == .right)
        #expect(pending.since == 100 && pending.until == 10_100)
        #expect(try !session.front.interactive)
        let confirmed = try session.apply(.confirm, at: 5000)
        #expect(confirmed.ending == .swiped)
        let verdict = Verdict(sequence: 1, at: 5000, index: 0, cardID: "0", direction: .right)
        #expect(confirmed.verdictChanges == [.given(verdict)])
        #expect(session.shown.pending == nil)
        #expect(try #require(session.shown.leaving.first).difference(from: held.cards[0]) < 1e-9)
        #expect(session.advance(to: 20_000).trace == ["didSwipe 0 right", "didShow 1"])
    }

    @Test func aDeniedSwipeGoesBack() throws {
        var session = make()
        try session.drag(.ended, .x(140), velocity: .zero, at: 0)
        let denied = try session.apply(.deny, at: 300)
        #expect(denied.ending == .reset(.notConfirmed))
        #expect(denied.trace == ["didReset 0"])
        #expect(session.shown.pending == nil)
        #expect(session.settled.shown.cards.map(\.matrix) == [.identity, .identity, .identity])
        #expect(session.settled.shown.cards.map(\.frame) == Expected.slots)
        #expect(session.lastVerdict == 0)
        #expect(session.advance(to: 60_000).isEmpty)
    }

    @Test(arguments: [true, false])
    func inACarouselTheCardInFrontIsSwiped(loops: Bool) throws {
        var session = DeckSession.make(6, preset: .flipCarousel) {
            $0.rules.confirm = [.right]
            $0.loop = loops
        }
        let spacing = FlipLayout().spacing
        try session.drag(.changed, .y(2 * spacing), at: 0)
        #expect(session.currentIndex == 2)
        let swiped = try session.apply(.swipe(.right), at: 100)
        #expect(swiped.ending == .pending && swiped.index == 2)
        #expect(swiped.trace == ["panFinished 0", "didShow 2", "needsConfirmation 2 right"])
        #expect(session.frame(at: 5000).pending?.index == 2)
        let confirmed = try session.apply(.confirm, at: 5000)
        #expect(confirmed.verdictChanges.map(\.verdict.index) == [2])
    }

    @Test func withoutADecisionItIsDeniedWhenTheTimeIsUp() throws {
        var session = make { $0.rules.confirmTimeout = 700 }
        try session.drag(.ended, .x(140), velocity: .zero, at: 0)
        #expect(try #require(session.shown.settlesAt) > 700)
        let told = session.advance(to: 5000)
        #expect(told.trace == ["didReset 0"])
        #expect(told.map(\.at) == [700])
        #expect(session.shown.pending == nil && session.shown.settlesAt == nil)
        #expect(try session.front.interactive)
    }

    @Test func aSwipeByCallWaitsInItsPlaceAndLeavesAsItWouldHave() throws {
        var session = make()
        let before = session.shown.cards
        #expect(try session.swipe(.right, at: 0).ending == .pending)
        #expect(session.shown.cards.map(\.frame) == before.map(\.frame))
        _ = try session.apply(.confirm, at: 1000)
        let half = try #require(session.frame(at: 1400).leaving.first)
        // A swipe by call turns the card as it leaves, 45 degrees to the right.
        #expect(abs(half.matrix.degrees - 45 * Expected.ease(0.5)) < 1e-6)
        // Other directions do not wait.
        #expect(try session.swipe(.left, at: 5000).ending == .swiped)
    }

    @Test func meanwhileTheCardTakesNoOtherDecision() throws {
        var session = make()
        try session.swipe(.right, at: 0)
        #expect(try session.swipe(.left, at: 10).refusal == .pending)
        #expect(try session.drag(.began, at: 10).refusal == .pending)
        #expect(try session.apply(.nudge(.left), at: 10).refusal == .pending)
        #expect(try session.tap(at: 10).isApplied)
        #expect(session.shown.pending != nil)
        #expect(!session.actions.contains(.swipe(.left)))
    }

    @Test func withNothingPendingThereIsNothingToDecide() throws {
        var session = make()
        #expect(try session.apply(.confirm, at: 0).refusal == .nothingPending)
        #expect(try session.apply(.deny, at: 0).refusal == .nothingPending)
        #expect(session.version == 0)
        try session.swipe(.right, at: 10)
        #expect(try session.apply(.confirm, onlyOn: "1", at: 20).refusal == .notFrontCard)
        #expect(try session.apply(.confirm, onlyOn: "0", at: 20).ending == .swiped)
    }

    @Test func cardsPutInElsewhereLeaveItWaiting() throws {
        for change in [Event.insert(.numbered(3), at: 6), .insert(.numbered(1), at: 0), .remove(3..<5)] {
            var session = make()
            try session.swipe(.left, at: 0)
            _ = session.advance(to: 2000)
            try session.drag(.ended, .x(140), velocity: .zero, at: 3000)
            let front = try session.front.matrix
            _ = try session.apply(change, at: 3100)
            #expect(session.shown.pending?.id == "1", "\(change)")
            #expect(try session.front.matrix == front, "\(change)")
            #expect(try session.apply(.confirm, at: 3200).ending == .swiped)
        }
    }

    @Test func whatBringsAnotherCardToTheFrontDeniesItFirst() throws {
        let changes: [Event] = [
            .command(.move(to: 3)), .command(.sendToBack), .remove(0..<1), .insert(.numbered(1), at: 0), .reset,
            .shuffle(seed: 4),
        ]
        for change in changes {
            var session = make()
            try session.drag(.ended, .x(140), velocity: .zero, at: 0)
            let outcome = try session.apply(change, at: 100)
            #expect(outcome.trace.first == "didReset 0", "\(change)")
            #expect(session.shown.pending == nil, "\(change)")
            #expect(session.lastVerdict == 0)
            #expect(session.advance(to: 60_000).trace.filter { $0.hasPrefix("didReset") }.isEmpty, "\(change)")
        }
    }

    @Test func itSurvivesASnapshot() throws {
        var session = make()
        try session.drag(.ended, .x(140), velocity: .x(200), at: 0)
        var read = try DeckSession(snapshot: session.snapshot(withCards: true))
        #expect(read == session)
        #expect(try read.apply(.confirm, at: 50) == session.apply(.confirm, at: 50))
        #expect(read.shown == session.shown)
    }

    /// A command that waits was answered with what it does. A decision on a swipe that it denies must not change that, and is refused
    /// without an effect.
    @Test(arguments: [Event.confirm, .deny])
    func aDecisionOnASwipeThatTheQueueDeniesIsRefused(decision: Event) throws {
        var session = make {
            $0.rules.confirm = [.right]
            $0.rules.whileAnimating = .queue
        }
        try session.swipe(.left, at: 0)
        _ = try session.apply(.appear, at: 5000)
        #expect(try session.drag(.ended, .x(200), velocity: .zero, at: 5010).ending == .pending)
        let swipe = try session.swipe(.left, at: 5015)
        #expect(swipe.refusal == .pending && swipe.verdictChanges.isEmpty)
        let revert = try session.revert(at: 5020)
        #expect(revert.ending == .queued)
        #expect(revert.verdictChanges.map(\.verdict.index) == [0])
        var undecided = session
        _ = undecided.advance(to: 5030)
        let outcome = try session.apply(decision, at: 5030)
        #expect(outcome.refusal == .nothingPending && outcome.verdictChanges.isEmpty && outcome.notifications.isEmpty)
        #expect(session == undecided)
        _ = session.advance(to: 20_000)
        #expect(session.currentIndex == 0 && session.revertibleCount == 0 && session.shown.pending == nil)
    }
}
