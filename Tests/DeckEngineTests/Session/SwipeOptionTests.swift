import Testing

@testable import DeckEngine

/// The options of one swipe, and the exits of cards.
struct SwipeOptionTests {
    @Test func oneSwipeTakesItsOwnTimeAndCurve() throws {
        var session = DeckSession.make { $0.rules.allowedDirections = Directions(Direction.allCases) }
        let options = SwipeOptions(duration: 2000, easing: .linear)
        _ = try session.apply(.swipe(.up, options), at: 0)
        let quarter = try #require(session.frame(at: 500).leaving.first)
        #expect(abs(quarter.matrix.ty + 1067 / 4) < 1e-9)
        #expect(session.frame(at: 1999).leaving.count == 1)
        #expect(session.frame(at: 2000).leaving.isEmpty)
        // The next swipe has the deck's settings again.
        try session.swipe(.left, at: 5000)
        #expect(session.frame(at: 5799).leaving.count == 1)
        #expect(session.frame(at: 5800).leaving.isEmpty)
    }

    /// The test deck is 300 by 400 on a screen whose longer side is 667.
    @Test(arguments: [
        (Vector(x: 1, y: 0), Vector(x: 967, y: 0)), (Vector(x: -3, y: 3), Vector(x: -967, y: 967)),
        (Vector(x: 0, y: 50), Vector(x: 0, y: 1067)), (Vector(x: 100, y: -1000), Vector(x: 106.7, y: -1067)),
    ])
    func aCardLeavesAlongAnyWay(toward: Vector, exit: Vector) throws {
        var session = DeckSession.make()
        _ = try session.apply(.swipe(.right, SwipeOptions(toward: toward)), at: 0)
        let last = try #require(session.frame(at: Instant(799.999_999)).leaving.first)
        #expect(abs(last.matrix.tx - exit.x) < 0.01 && abs(last.matrix.ty - exit.y) < 0.01)
    }

    @Test func aFlungCardLeavesAlongTheFingersPath() throws {
        var session = DeckSession.make(9) {
            $0.motion.exitFollowsFinger = true
            $0.motion.exitFollowsFling = false
        }
        // Along the velocity from the point of release.
        try session.drag(.ended, Vector(x: 140, y: 20), velocity: Vector(x: 500, y: -250), at: 0)
        let flung = try #require(session.stage.leaving.last).departure.motion.translation
        #expect(flung.from == Vector(x: 140, y: 20))
        #expect(abs(flung.to.x - (140 + 967)) < 1e-9 && abs(flung.to.y - (20 - 967 / 2)) < 1e-9)
        // A finger that rested has no velocity: along its path.
        try session.drag(.ended, Vector(x: -140, y: 35), velocity: .zero, at: 2000)
        let rested = try #require(session.stage.leaving.last).departure.motion.translation
        #expect(abs(rested.to.x - (-140 - 967)) < 1e-9 && abs(rested.to.y - (35 + 967 / 4)) < 1e-9)
        // A finger that was pulling back a little: along its path, not back over the deck.
        try session.drag(.ended, Vector(x: 140, y: 0), velocity: .x(-100), at: 4000)
        #expect(try #require(session.stage.leaving.last).departure.motion.translation.to == .x(140 + 967))
    }

    @Test func aFlungCardLeavesOnlyAlongTheAxisOnWhichItFollows() throws {
        var session = DeckSession.make {
            $0.rules.dragAxis = .horizontal
            $0.rules.velocityThreshold = 750
            $0.motion.exitFollowsFinger = true
        }
        try session.drag(.changed, Vector(x: 40, y: -120), at: 40)
        let outcome = try session.drag(.ended, velocity: Vector(x: 1000, y: -3000), at: 40)
        #expect(outcome.ending == .swiped)
        let translation = try #require(session.stage.leaving.last).departure.motion.translation
        #expect(translation.from == .x(40) && translation.to == .x(40 + 967))
    }

    /// Koloda uses the larger of the size for the distance and `scaleMin`, whichever side of 1 that is on.
    @Test func aCardMayGrowUnderTheFinger() throws {
        var session = DeckSession.make {
            $0.motion.scaleMin = 1.2
            $0.motion.rotationMax = 3
        }
        for (x, scale) in [(0.0, 1.2), (150, 1.2), (300, 1.2), (600, 1.4), (1500, 1.6)] {
            try session.drag(.changed, .x(x), at: session.now + 10)
            #expect(abs(try session.front.matrix.scale - scale) < 1e-12, "\(x)")
        }
    }
}

extension Event {
    fileprivate static func swipe(_ direction: Direction, _ options: SwipeOptions) -> Event {
        .swipe(direction, force: true, options)
    }
}
