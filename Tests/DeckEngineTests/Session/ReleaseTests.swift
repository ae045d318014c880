import Testing

@testable import DeckEngine

/// The decisions at a release.
struct ReleaseTests {
    // Half of half the card's width of 300 is 75 points.
    @Test(arguments: [(75.0, true), (74.99, false), (-75, true), (-74.99, false), (0, false), (1e6, true)])
    func releasePastThresholdSwipes(way: Double, swipes: Bool) throws {
        var session = DeckSession.make()
        let outcome = try session.drag(.ended, .x(way), at: 0)
        #expect(outcome.ending == (swipes ? .swiped : .reset(.belowThreshold)))
        #expect(outcome.direction == (way > 0 ? .right : .left))
        #expect(session.currentIndex == (swipes ? 1 : 0))
    }

    @Test func theThresholdIsInUnitsOfHalfTheCardAlongTheDirection() throws {
        func ending(_ translation: Vector, _ threshold: Double, _ directions: Directions) throws -> Ending? {
            var session = DeckSession.make {
                $0.rules.swipeThreshold = threshold
                $0.rules.allowedDirections = directions
            }
            return try session.drag(.ended, translation, at: 0).ending
        }
        #expect(try ending(.y(-196), 1, [.up]) == .swiped)
        #expect(try ending(.y(-195.9), 1, [.up]) == .reset(.belowThreshold))
        // A corner is at half the card, averaged over both axes.
        #expect(try ending(Vector(x: 75, y: 98), 0.5, [.bottomRight]) == .swiped)
        #expect(try ending(Vector(x: 75, y: 97), 0.5, [.bottomRight]) == .reset(.belowThreshold))
        #expect(try ending(.x(1e6), 1.01, [.right]) == .reset(.belowThreshold))
    }

    @Test func aDragAwayFromEveryAllowedDirectionNeverSwipes() throws {
        var session = DeckSession.make {
            $0.rules.allowedDirections = [.right]
            $0.rules.swipeThreshold = 0
        }
        for (index, way) in [-10.0, -140, -300, -1e6].enumerated() {
            let time = Instant(Double(index) * 5000)
            let step = try session.drag(.changed, .x(way), at: time)
            #expect(step.notifications.last?.kind == .dragged(index: 0, percentage: 0, .right))
            #expect(try session.front.overlay?.progress == 0)
            let outcome = try session.drag(.ended, velocity: .x(-5000), at: time)
            #expect(outcome.ending == .reset(.belowThreshold))
        }
    }

    @Test func aTieGoesToTheDirectionThatIsNamedFirst() throws {
        for (first, second) in [(Direction.left, Direction.up), (.up, .left)] {
            var session = DeckSession.make { $0.rules.allowedDirections = [first, second] }
            #expect(try session.drag(.began, at: 0).direction == first)
            // As far left as up, in units of half the card.
            #expect(try session.drag(.changed, Vector(x: -75, y: -98), at: 0).direction == first)
            #expect(try session.drag(.changed, Vector(x: -75, y: -99), at: 0).direction == .up)
            #expect(try session.drag(.changed, Vector(x: -76, y: -98), at: 0).direction == .left)
        }
    }

    @Test func withoutAllowedDirectionsNothingIsSwiped() throws {
        var session = DeckSession.make { $0.rules.allowedDirections = [] }
        let step = try session.drag(.changed, .x(500), at: 0)
        #expect(step.isApplied)
        #expect(step.direction == nil)
        #expect(step.notifications.map(\.kind) == [.panBegan(index: 0)])
        #expect(try session.front.overlay == nil)
        let outcome = try session.drag(.ended, velocity: .x(9000), at: 10)
        #expect(outcome.ending == .reset(.directionNotAllowed))
        #expect(outcome.trace == ["didReset 0", "panFinished 0"])
    }

    @Test func aDeniedDirectionIsRefusedAtReleaseOnly() throws {
        var session = DeckSession.make { $0.rules.deniedDirections = [.right] }
        #expect(try session.drag(.changed, .x(100), at: 0).direction == .right)
        #expect(try session.front.overlay?.progress == 1)
        #expect(try session.drag(.ended, at: 10).ending == .reset(.directionDenied))
        // Below the threshold that is the reason for any direction; a fling is denied as well.
        #expect(try session.drag(.ended, .x(10), at: 2000).ending == .reset(.belowThreshold))
        #expect(try session.drag(.ended, .x(10), velocity: .x(900), at: 4000).ending == .reset(.directionDenied))
        #expect(try session.drag(.ended, .x(-100), at: 6000).ending == .swiped)
    }

    @Test func cardsHaveDirectionsOfTheirOwn() throws {
        var (picky, strict) = (Card(id: "picky"), Card(id: "strict"))
        picky.allowedDirections = [.up]
        strict.deniedDirections = [.left]
        var session = DeckSession.make([picky, strict, Card(id: "plain")])
        #expect(session.shown.cards.map(\.allowedDirections) == [[.up], [.left, .right], [.left, .right]])
        #expect(try session.drag(.ended, .x(200), at: 0).ending == .reset(.belowThreshold))
        #expect(try session.drag(.ended, .y(-200), at: 1000).direction == .up)
        #expect(session.shown.leaving.map(\.allowedDirections) == [[.up]])
        #expect(try session.drag(.ended, .x(-200), at: 3000).ending == .reset(.directionDenied))
        #expect(try session.drag(.ended, .x(200), at: 5000).ending == .swiped)
    }

    @Test(arguments: [
        (Vector.x(10), Vector.x(750), true), (.x(10), .x(749), false), (.x(10), .x(-2000), false),
        (.x(-10), .x(-750), true), (.x(-10), .x(2000), false), (.x(0), .x(2000), false),
        (.x(0), .x(-2000), false), (.x(10), .y(2000), false), (.x(80), .x(-2000), false), (.x(80), .x(-749), true),
    ])
    func aFlingNeedsWayAndVelocityOfOneSign(way: Vector, velocity: Vector, swipes: Bool) throws {
        var session = DeckSession.make()
        let outcome = try session.drag(.ended, way, velocity: velocity, at: 0)
        #expect((outcome.ending == .swiped) == swipes)
    }

    @Test func aFlingTowardsTheOnlyDirectionNeedsAWayTowardsItToo() throws {
        for (way, ending) in [(-10.0, Ending.reset(.belowThreshold)), (0, .reset(.belowThreshold)), (1, .swiped)] {
            var session = DeckSession.make { $0.rules.allowedDirections = [.right] }
            #expect(try session.drag(.ended, .x(way), velocity: .x(2000), at: 0).ending == ending)
        }
    }

    @Test func theSpeedOfADiagonalFlingIsMeasuredAlongTheDiagonal() throws {
        func ending(_ velocity: Vector) throws -> Ending? {
            var session = DeckSession.make { $0.rules.allowedDirections = [.topRight] }
            return try session.drag(.ended, Vector(x: 5, y: -5), velocity: velocity, at: 0).ending
        }
        #expect(try ending(Vector(x: 531, y: -531)) == .swiped)
        #expect(try ending(Vector(x: 530, y: -530)) == .reset(.belowThreshold))
        #expect(try ending(Vector(x: 1062, y: 0)) == .swiped)
    }

    @Test func aFlingCountsOnlyAlongTheAxisOnWhichTheCardFollows() throws {
        var session = DeckSession.make {
            $0.rules.allowedDirections = [.topRight]
            $0.rules.dragAxis = .horizontal
            $0.rules.velocityThreshold = 750
        }
        let outcome = try session.drag(.ended, Vector(x: 8, y: -120), velocity: Vector(x: 200, y: -3000), at: 0)
        #expect(outcome.ending == .reset(.belowThreshold))
    }

    @Test func withoutAVelocityThresholdThereAreNoFlings() throws {
        var session = DeckSession.make { $0.rules.velocityThreshold = nil }
        #expect(try session.drag(.ended, .x(70), velocity: .x(1e6), at: 0).ending == .reset(.belowThreshold))
        var koloda = DeckSession.make(preset: .koloda)
        #expect(try koloda.drag(.ended, .x(70), velocity: .x(1e6), at: 0).ending == .reset(.belowThreshold))
    }

    @Test func onlyTheLastVelocityCounts() throws {
        var session = DeckSession.make()
        try session.drag(.changed, .x(20), velocity: .x(3000), at: 0)
        #expect(try session.drag(.ended, at: 10).ending == .reset(.belowThreshold))
    }

    @Test func crossingTheThresholdIsToldOnceEachWay() throws {
        var session = DeckSession.make()
        #expect(try session.drag(.changed, .x(74), at: 0).trace == ["panBegan 0"])
        #expect(try session.drag(.changed, .x(75), at: 0).trace == ["thresholdCrossed 0 right"])
        #expect(try session.drag(.changed, .x(80), at: 0).trace == [])
        #expect(try session.drag(.changed, .x(80), at: 0).trace == [])
        #expect(try session.drag(.changed, .x(74), at: 0).trace == ["thresholdUncrossed 0 right"])
        #expect(try session.drag(.changed, .x(20), at: 0).trace == [])
        #expect(try session.drag(.changed, .x(90), at: 0).trace == ["thresholdCrossed 0 right"])
        // A crossed threshold is uncrossed, even if the finger now points elsewhere.
        #expect(try session.drag(.changed, .x(-5), at: 0).trace == ["thresholdUncrossed 0 right"])
        #expect(try session.drag(.changed, .x(-90), at: 0).trace == ["thresholdCrossed 0 left"])
        let flip = try session.drag(.changed, .x(90), at: 0).trace
        #expect(flip == ["thresholdUncrossed 0 left", "thresholdCrossed 0 right"])
        #expect(try session.drag(.ended, .x(90), at: 0).trace == ["panFinished 0"])
    }

    /// The way of a card jumps when the finger's larger axis changes, and the finger does not.
    @Test func aSlowDiagonalFingerIsNoFling() throws {
        var session = DeckSession.make(5) { $0.rules.dragAxis = .dominant }
        var time: Instant = 1000
        try session.drag(.began, at: time)
        for step in 0..<9 {
            let way = 52 + Double(step)
            // From the sixth point on, the horizontal way is the longer one.
            time = time + 10
            try session.drag(.changed, Vector(x: way, y: step < 5 ? way + 1 : way - 1), at: time)
        }
        #expect(try session.drag(.ended, at: time + 5).ending == .reset(.belowThreshold))
    }
}
