import Testing

@testable import DeckEngine

/// Requests for more cards.
struct RefillTests {
    private func asked(_ notifications: DeckNotifications) -> [Int] {
        notifications.compactMap { if case .needsCards(let remaining) = $0.kind { remaining } else { nil } }
    }

    @Test func itIsAskedForOnce() throws {
        var session = DeckSession.make(6)
        var told: [Int] = []
        for _ in 0..<6 { told += asked(try session.swipe(.left, at: session.now + 1000).notifications) }
        #expect(told == [3])
    }

    /// A revert and a swipe cross the limit again, and no card was added in between.
    @Test func aSwipeAfterARevertDoesNotAskAgain() throws {
        var session = DeckSession.make(6)
        for _ in 0..<3 { try session.swipe(.left, at: session.now + 1000) }
        for _ in 0..<2 { #expect(asked(try session.revert(at: session.now + 1000).notifications) == []) }
        for _ in 0..<2 { #expect(asked(try session.swipe(.left, at: session.now + 1000).notifications) == []) }
        _ = try session.revert(at: session.now + 1000)
        let redo = try session.apply(.command(.redo(count: 1)), at: session.now + 1000)
        #expect(asked(redo.notifications) == [])
    }

    @Test func afterMoreCardsHaveComeItIsAskedForAgain() throws {
        var session = DeckSession.make(4)
        #expect(asked(try session.swipe(.left, at: 0).notifications) == [3])
        #expect(asked(try session.apply(.insert(.numbered(1), at: 4), at: 1000).notifications) == [])
        #expect(asked(try session.swipe(.left, at: 2000).notifications) == [3])
        // One card is not enough, and no new request is sent.
        try session.swipe(.left, at: 3000)
        #expect(asked(try session.apply(.insert(.numbered(1), at: 5), at: 4000).notifications) == [])
    }

    @Test func aSessionThatBeginsShortAsksAtItsBeginning() {
        for (count, start, expected) in [(3, 0, [3]), (4, 0, []), (9, 7, [2]), (0, 0, [0]), (5, 5, [0])] {
            let deck = Deck(cards: .numbered(count))
            let told = DeckSession.begin(deck: deck, viewport: Size(width: 300, height: 400), startIndex: start)
            #expect(asked(told.notifications) == expected, "\(count) from \(start)")
        }
    }

    @Test func everyChangeThatLeavesFewCardsAsks() throws {
        let changes: [Event] = [
            .remove(2..<7), .command(.move(to: 5)), .reload(Deck(cards: .numbered(2))), .configure(limit(8)),
        ]
        for change in changes {
            var session = DeckSession.make(8)
            #expect(asked(try session.apply(change, at: 0).notifications).count == 1, "\(change)")
            #expect(asked(session.advance(to: 60_000)) == [])
        }
        var carousel = DeckSession.make(8, preset: .flipCarousel) { $0.loop = false }
        let scroll = ScrollEvent(.ended, offset: 150)
        #expect(asked(try carousel.apply(.scroll(scroll), at: 0).notifications) == [3])
    }

    /// The redo passes the end of the deck and comes back to its second card.
    @Test func cardsAreCountedAfterAWholeRedo() throws {
        var session = DeckSession.make(7) { $0.loop = true }
        for _ in 0..<8 { try session.swipe(.left, at: session.now + 1000) }
        _ = try session.apply(.revert(.fade, count: 8), at: session.now + 1000)
        #expect(asked(try session.apply(.configure(DeckSettings()), at: session.now).notifications) == [])
        let redo = try session.apply(.command(.redo(count: 8)), at: session.now + 1000)
        #expect(redo.notifications.contains { $0.kind == .didRunOut })
        #expect(session.currentIndex == 1)
        #expect(asked(redo.notifications) == [])
    }

    private func limit(_ refillAt: Int) -> DeckSettings {
        var settings = DeckSettings()
        settings.rules.refillAt = refillAt
        return settings
    }

    @Test func aLoopNeverRunsShort() throws {
        var session = DeckSession.make(2) { $0.loop = true }
        for _ in 0..<5 { #expect(asked(try session.swipe(.left, at: session.now + 1000).notifications) == []) }
    }

    @Test func itSurvivesASnapshotThatItHasAsked() throws {
        var session = DeckSession.make(6)
        for _ in 0..<3 { try session.swipe(.left, at: session.now + 1000) }
        try session.revert(at: session.now + 1000)
        var read = try DeckSession(snapshot: session.snapshot(withCards: true))
        #expect(asked(try read.swipe(.left, at: read.now + 1000).notifications) == [])
    }

    /// Fewer cards are no reason to ask again.
    @Test func aChangeThatLeavesFewerCardsAsksNotAgain() throws {
        var session = DeckSession.make(6) { $0.rules.refillAt = 3 }
        var asked = 0
        func apply(_ event: Event, at time: Instant) throws {
            asked += try session.apply(event, at: time).trace.count { $0.hasPrefix("needsCards") }
        }
        for time in [0, 1000, 2000] as [Instant] { try apply(.swipe(.right), at: time) }
        #expect(asked == 1)
        try apply(.command(.revert(.fade, count: 2)), at: 5000)
        try apply(.command(.move(to: 2)), at: 8000)
        try apply(.swipe(.right), at: 9000)
        #expect(asked == 1)
    }
}
