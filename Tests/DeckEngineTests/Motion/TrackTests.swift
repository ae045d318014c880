import RandomTesting
import Testing

@testable import DeckEngine

/// One property in motion.
struct TrackTests {
    @Test func aTrackBeginsAtItsStartAndEndsExactlyAtItsTarget() {
        for easing in [Curve.linear, .ease, .spring(Spring(SpringSettings(bounciness: 20, speed: 0)))] {
            let track = Track(from: 0.1, to: 0.7, start: 100, duration: 300, curve: easing)
            #expect(track.value(at: 0) == 0.1)
            #expect(track.value(at: 100) == 0.1)
            #expect(track.value(at: 400) == 0.7)
            #expect(track.value(at: 9000) == 0.7)
            #expect(track.end == 400)
        }
    }

    @Test func easingAndLinearDifferAsTheyShould() {
        let eased = Track(from: 0.0, to: 100, start: 0, duration: 1000, curve: .ease)
        let straight = Track(from: 0.0, to: 100, start: 0, duration: 1000, curve: .linear)
        for part in stride(from: 0.02, to: 1, by: 0.02) {
            #expect(abs(eased.value(at: Instant(1000 * part)) - 100 * Expected.ease(part)) < 1e-6)
            #expect(abs(straight.value(at: Instant(1000 * part)) - 100 * part) < 1e-9)
        }
    }

    @Test func whatIsThereAlreadyIsAtRest() {
        #expect(Track(from: 5.0, to: 5, start: 700, duration: 200, curve: .ease) == Track(still: 5.0))
        #expect(Track(from: 4.0, to: 5, start: 700, duration: 0, curve: .ease) == Track(still: 5.0))
        #expect(Track(still: 5.0).end == .zero)
    }

    /// 0.2 + (0.9 - 0.2) is not 0.9. A card that was left there would still move, by nothing that can be seen.
    @Test func theWholeWayLeadsExactlyToTheTarget() {
        #expect(0.2 + (0.9 - 0.2) != 0.9)
        #expect(Double.between(0.2, 0.9, 1) == 0.9)
        let (near, far) = (Vector(x: 0.2, y: 0.9), Vector(x: 0.9, y: 0.2))
        #expect(Vector.between(near, far, 1) == far)
        let (small, large) = (
            Rect(x: 0.2, y: 0.2, width: 0.2, height: 0.2), Rect(x: 0.9, y: 0.9, width: 0.9, height: 0.9)
        )
        #expect(Rect.between(small, large, 1) == large)
    }

    @Test func aSpringNeverTurnsARectangleInsideOut() {
        let spring = Spring(SpringSettings(bounciness: 20, speed: 0))
        let (large, small) = (Rect(x: 0, y: 0, width: 900, height: 900), Rect(x: 0, y: 0, width: 20, height: 20))
        let track = Track(from: large, to: small, start: 0, spring: spring)
        for time in stride(from: 0.0, to: track.end.milliseconds, by: 5) {
            let rect = track.value(at: Instant(time))
            #expect(rect.width >= 0)
            #expect(rect.height >= 0)
        }
    }

    @Test func anotherAnchorChangesNothingThatIsSeen() {
        var random = SeededNumbers(seed: 3)
        for _ in 0..<100 {
            func number(_ reach: Double) -> Double { .random(in: -reach...reach, using: &random) }
            var pose = Pose(rect: Rect(x: number(90), y: number(90), width: 200, height: 300), opacity: 1)
            pose.translation = Vector(x: number(300), y: number(300))
            pose.rotation = Radians(number(3))
            pose.scale = 1 + number(0.5)
            pose.anchor = UnitPoint(x: number(2), y: number(2))
            let other = pose.anchored(at: UnitPoint(x: number(2), y: number(2)))
            for corner in [(0.0, 0.0), (1, 0), (0, 1), (1, 1)] {
                let (place, same) = (drawn(corner, pose), drawn(corner, other))
                #expect(abs(place.x - same.x) < 1e-9)
                #expect(abs(place.y - same.y) < 1e-9)
            }
        }
    }

    private func drawn(_ corner: (Double, Double), _ pose: Pose) -> Vector {
        let origin = pose.rect.point(at: pose.anchor)
        let offset = pose.rect.point(at: UnitPoint(x: corner.0, y: corner.1)) - origin
        return origin + pose.translation + pose.scale * offset.rotated(by: pose.rotation)
    }
}
