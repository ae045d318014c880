import Testing

@testable import DeckEngine

/// Reduced motion: only a finger moves cards.
struct ReducedMotionTests {
    private func make(preset: Preset = .standard, appears: Bool = false) -> DeckSession {
        .make(preset: preset, appears: appears) { $0.motion.reduced = true }
    }

    private func expectUpright(_ session: DeckSession, from start: Double, to end: Double) {
        for step in 0...20 {
            let frame = session.frame(at: Instant(start + (end - start) * Double(step) / 20))
            for card in frame.cards { #expect(card.matrix == .identity) }
            #expect(frame.placed.map(\.frame) == session.slots.prefix(frame.placed.count).map(\.rect))
        }
    }

    @Test func aSwipedCardFadesWhereItIs() throws {
        var session = make()
        try session.swipe(.right, at: 0)
        expectUpright(session, from: 0, to: 1000)
        let half = try #require(session.frame(at: 100).leaving.first)
        #expect(abs(half.opacity - (1 - Expected.ease(0.5))) < 1e-6)
        #expect(half.overlay == FrameOverlay(direction: .right, progress: 1, alpha: 1))
        #expect(session.shown.settlesAt == 200)
        #expect(session.advance(to: 200).trace == ["didSwipe 0 right", "didShow 1"])
    }

    @Test func aDraggedCardOnlyFollowsTheFinger() throws {
        var session = make()
        try session.drag(.changed, Vector(x: 100, y: 40), location: .zero, at: 0)
        #expect(try session.front.matrix == Matrix(a: 1, b: 0, c: 0, d: 1, tx: 100, ty: 40))
        try session.drag(.ended, velocity: .zero, at: 500)
        // It fades where it was released.
        for time in [500.0, 600, 699] {
            let leaving = try #require(session.frame(at: Instant(time)).leaving.first)
            #expect(leaving.matrix.tx == 100 && leaving.matrix.ty == 40)
        }
        #expect(session.frame(at: 700).leaving.isEmpty)
    }

    @Test func aCardThatIsLetGoIsBackAtOnce() throws {
        var session = make()
        try session.drag(.changed, .x(60), at: 0)
        try session.drag(.ended, velocity: .zero, at: 500)
        expectUpright(session, from: 500, to: 1000)
        #expect(session.shown.placed.map(\.opacity) == [1, 0.7, 0.7])
    }

    @Test(arguments: [RevertStyle.fade, .origin, .from(.up)])
    func aRevertedCardFadesInAtItsPlace(style: RevertStyle) throws {
        var session = make()
        try session.swipe(.right, at: 0)
        try session.revert(style, at: 1000)
        expectUpright(session, from: 1000, to: 2500)
        #expect(try session.front.opacity == 0)
        #expect(session.settled.shown.placed.map(\.opacity) == [1, 0.7, 0.7])
    }

    @Test func aDeckAppearsWithoutGrowing() throws {
        let session = make(appears: true)
        expectUpright(session, from: 0, to: 2000)
        #expect(try session.front.opacity == 0)
        #expect(abs(session.frame(at: 1200).cards[0].opacity - Expected.ease(0.5)) < 1e-6)
        #expect(session.frame(at: 1600).cards[0].opacity == 1)
    }

    @Test func springsStandStill() throws {
        var session = make(preset: .kolodaBackground)
        try session.swipe(.right, at: 0)
        #expect(session.frame(at: 1).placed.map(\.frame) == session.slots.prefix(2).map(\.rect))
        #expect(session.settled.now <= 200)
    }

    @Test func theMotionThatIsToldIsOfOpacitiesOnly() throws {
        var session = make()
        try session.swipe(.right, at: 0)
        #expect(Set(session.motion(at: 0).map(\.property)) == [.opacity])
    }
}
