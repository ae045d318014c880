import Testing

@testable import DeckEngine

/// The appear animation.
struct AppearTests {
    @Test func nothingIsSeenUntilAFlyOutWouldBeOverAndThenTheDeckGrows() throws {
        let session = DeckSession.make(appears: true)
        for time: Instant in [0, 400, 799.9] {
            #expect(session.frame(at: time).cards.allSatisfy { $0.opacity == 0 })
        }
        for part in [0.1, 0.35, 0.5, 0.9] {
            let cards = session.frame(at: Instant(800 + 800 * part)).cards
            let grown = Expected.ease(part)
            let scale = 0.1 + 0.9 * grown
            for (place, card) in cards.enumerated() {
                #expect(abs(card.opacity - grown * (place == 0 ? 1 : 0.7)) < 1e-7)
                let slot = Expected.slots[place]
                // Scaled about the middle of the deck, (150, 200).
                let left = 150 + scale * (slot.x - 150)
                let top = 200 + scale * (slot.y - 200)
                #expect(abs(card.corners[0].x - left) < 1e-5)
                #expect(abs(card.corners[0].y - top) < 1e-5)
                #expect(abs(card.corners[3].x - left - scale * slot.width) < 1e-5)
                #expect(abs(card.corners[3].y - top - scale * slot.height) < 1e-5)
            }
        }
        #expect(session.shown.settlesAt == 1600)
        #expect(session.frame(at: 1600).cards == DeckSession.make().shown.cards)
    }

    @Test func itIsToldOfOnceAtItsEnd() throws {
        var session = DeckSession.make(appears: true)
        #expect(session.advance(to: 1599.9).isEmpty)
        let told = session.advance(to: 5000)
        #expect(told.trace == ["didAppear"])
        #expect(told.map(\.at) == [1600])
    }

    @Test func whatEndsWithItIsToldInTheOrderInWhichItBegan() throws {
        var session = DeckSession.make(appears: true)
        try session.swipe(.right, at: 1400)
        #expect(session.advance(to: 1600).trace == ["didAppear", "didSwipe 0 right", "didShow 1"])
    }

    @Test func leavingCardsAreNotHiddenByIt() throws {
        var session = DeckSession.make(2)
        try session.swipe(.right, at: 0)
        try session.swipe(.right, at: 500)
        let flying = session.frame(at: 600).leaving
        try session.reset(at: 600)
        #expect(session.shown.leaving == flying.map { moved($0, by: 2) })
        #expect(session.shown.leaving.map(\.opacity) == [1, 1])
        #expect(session.shown.placed.map(\.opacity) == [0, 0])
    }

    private func moved(_ card: FrameCard, by places: Int) -> FrameCard {
        var card = card
        card.z += places
        return card
    }

    @Test func aNewBeginningStartsItAgain() throws {
        var session = DeckSession.make(appears: true)
        try session.reset(at: 1000)
        #expect(session.frame(at: 1799).cards.allSatisfy { $0.opacity == 0 })
        #expect(session.advance(to: 9000).map(\.at) == [2600])
    }

    @Test func aFingerCanTakeTheFrontCardMeanwhileWithoutAJump() throws {
        var session = DeckSession.make(appears: true)
        let before = session.frame(at: 1200).cards
        try session.drag(.began, location: Vector(x: 20, y: 30), at: 1200)
        for (card, former) in zip(session.shown.cards, before) {
            #expect(card.difference(from: former) < 1e-9)
            #expect(card.opacity == former.opacity)
        }
    }

    @Test func withoutDurationTheDeckIsThereAtOnce() throws {
        var settings = DeckSettings()
        settings.motion.appearDuration = 0
        let (session, told) = DeckSession.begin(
            deck: Deck(cards: .numbered(3), settings: settings),
            viewport: Size(width: 300, height: 400),
            appears: true
        )
        #expect(told.trace == ["didShow 0", "needsCards 3", "didAppear"])
        #expect(session.shown.cards.map(\.opacity) == [1, 0.7, 0.7])
        #expect(session.lastNotification == session.shown.lastNotification)
    }
}
