import Testing

@testable import DeckEngine

/// Directions by angle. Angles are clockwise from the right, since y points down.
struct SectorTests {
    private func make(_ sectors: [Sector], allowed: Directions = [.left, .right, .up, .down]) -> DeckSession {
        DeckSession.make(50) {
            $0.rules.sectors = sectors
            $0.rules.allowedDirections = allowed
            $0.rules.swipeThreshold = 0.1
        }
    }

    private let up = Sector(.up, from: -2.2, to: -0.9)

    @Test(arguments: [
        (Vector(x: 0, y: -100), Direction.up), (Vector(x: 60, y: -80), .up), (Vector(x: 70, y: -70), nil),
        (Vector(x: -55, y: -80), .up), (Vector(x: 0, y: 100), nil), (Vector(x: 100, y: 0), nil), (Vector.zero, nil),
    ])
    func aDragPointsIntoTheSectorsDirection(translation: Vector, direction: Direction?) throws {
        var session = make([up])
        #expect(try session.drag(.changed, translation, at: 0).direction == direction)
        let outcome = try session.drag(.ended, velocity: .zero, at: 100)
        #expect(outcome.direction == direction)
        let swipes = direction != nil
        #expect(outcome.ending == (swipes ? .swiped : .reset(.directionNotAllowed)))
    }

    @Test func aSectorMayBeWiderThanHalfATurnAndCrossTheSeamOfTheCircle() throws {
        // From three o'clock clockwise to noon, and the remaining quarter.
        let sectors = [Sector(.down, from: 0.0, to: 4.71), Sector(.right, from: 4.71, to: 6.28)]
        for (translation, direction) in [
            (Vector(x: 50, y: 50), Direction.down), (Vector(x: -50, y: -50), .down), (Vector(x: 50, y: -50), .right),
            (Vector(x: 100, y: 0), .down), (Vector(x: 100, y: -5), .right), (Vector(x: -5, y: -100), .down),
        ] {
            var session = make(sectors)
            #expect(try session.drag(.changed, translation, at: 0).direction == direction, "\(translation)")
        }
    }

    @Test func theFirstOfTwoSectorsCountsAndOneThatIsNotAllowedDoesNot() throws {
        let whole = Sector(.left, from: -3.2, to: 3.0)
        var first = make([up, whole])
        #expect(try first.drag(.changed, Vector(x: 0, y: -100), at: 0).direction == .up)
        var denied = make([up, whole], allowed: [.left])
        #expect(try denied.drag(.changed, Vector(x: 0, y: -100), at: 0).direction == .left)
    }

    @Test func aSectorHasToEndAfterItBeginsByATurnAtMost() {
        #expect(Sector(.up, from: -1.0, to: 1.0).isValid)
        #expect(Sector(.up, from: -3.0, to: Radians(-3 + 2 * .pi)).isValid)
        #expect(!Sector(.up, from: 1.0, to: 1.0).isValid)
        #expect(!Sector(.up, from: 1.0, to: -1.0).isValid)
        #expect(!Sector(.up, from: -6.0, to: 6.0).isValid)
        #expect(!Sector(.up, from: -7.0, to: -6.5).isValid)
    }
}
