import Testing

@testable import DeckEngine

/// Springs and timing curves, against `pop-springs.json` and `pop-curves.json`.
struct PopVectorTests {
    struct Springs: Decodable {
        struct Case: Decodable {
            var bounciness: Double
            var speed: Double
            var tension: Double
            var friction: Double
            var zeta: Double
            var remaining240: [Double]?
        }

        var springs: [Case]
    }

    struct Curves: Decodable {
        struct Curve: Decodable {
            var controlPoints: [Double]
            var y: [Double]
        }

        var curves: [String: Curve]
    }

    @Test func springsHavePopsConstantsAndShape() throws {
        let springs = try Vectors.read("pop-springs", as: Springs.self).springs
        #expect(springs.count == 124)
        var sampled = 0
        for example in springs {
            let spring = Spring(SpringSettings(bounciness: example.bounciness, speed: example.speed))
            #expect(abs(spring.tension - example.tension) < 1e-6, "\(example)")
            #expect(abs(spring.friction - example.friction) < 1e-6, "\(example)")
            for (index, remaining) in (example.remaining240 ?? []).enumerated() {
                let elapsed = Milliseconds(Double(index) / 240 * 1000)
                #expect(abs(spring.remaining(at: elapsed) - remaining) < 1e-6, "\(example)")
                sampled += 1
            }
        }
        #expect(sampled > 200)
    }

    @Test func timingCurvesAreExact() throws {
        let curves = try Vectors.read("pop-curves", as: Curves.self).curves
        #expect(curves.count == 5)
        for (name, curve) in curves {
            let points = curve.controlPoints
            let bezier = CubicBezier(x1: points[0], y1: points[1], x2: points[2], y2: points[3])
            #expect(curve.y.count == 201)
            for (index, y) in curve.y.enumerated() {
                #expect(abs(bezier.progress(at: Double(index) / 200) - y) < 1e-6, "\(name) at \(index)/200")
            }
        }
    }

    @Test func theEngineEasesOnPopsDefaultCurve() throws {
        let curve = try #require(Vectors.read("pop-curves", as: Curves.self).curves["default"])
        let track = Track(from: 10.0, to: 20, start: 100, duration: 200, curve: .ease)
        for (index, y) in curve.y.enumerated() {
            #expect(abs(track.value(at: Instant(100 + Double(index))) - (10 + 10 * y)) < 1e-5)
        }
    }

    @Test func criticalAndOverdampedSpringsAreSolvedToo() {
        // Compared with a fine Runge-Kutta integration, which uses no closed form.
        for (tension, friction) in [(400.0, 40.0), (400, 40.0000001), (400, 39.9999999), (400, 80), (100, 100)] {
            let spring = Spring(tension: tension, friction: friction)
            var (remaining, velocity) = (1.0, 0.0)
            let step = 1e-4
            for index in 1...5000 {
                func slope(_ p: Double, _ v: Double) -> (Double, Double) { (v, -tension * p - friction * v) }
                let k1 = slope(remaining, velocity)
                let k2 = slope(remaining + step / 2 * k1.0, velocity + step / 2 * k1.1)
                let k3 = slope(remaining + step / 2 * k2.0, velocity + step / 2 * k2.1)
                let k4 = slope(remaining + step * k3.0, velocity + step * k3.1)
                remaining += step / 6 * (k1.0 + 2 * k2.0 + 2 * k3.0 + k4.0)
                velocity += step / 6 * (k1.1 + 2 * k2.1 + 2 * k3.1 + k4.1)
                if index % 250 == 0 {
                    let state = spring.state(at: Milliseconds(Double(index) * step * 1000))
                    #expect(abs(state.remaining - remaining) < 1e-7)
                    #expect(abs(state.velocity - velocity) < 1e-5)
                }
            }
        }
    }

    /// Distances in points, and the times that Koloda's reset spring took for them at 60 Hz, rounded to a hundredth of
    /// a second.
    @Test(arguments: [
        (2.0, 0.13), (14, 0.28), (30, 0.32), (41, 0.40), (50, 0.43), (95, 0.45), (180, 0.47), (280, 0.58),
    ])
    func theResetSpringTakesAsLongAsInKoloda(distance: Double, seconds: Double) {
        let spring = Spring(SpringSettings(bounciness: 10, speed: 20))
        let duration = spring.settlingDuration(largest: distance, length: distance, threshold: 1)
        #expect((duration.value / 10).rounded() / 100 == seconds)
    }

    @Test func springsOver150PointsTakeAsLongAsPops() {
        let seen = [(10.0, 20.0, 28.0), (9, 16, 31), (4, 12, 28)]
        for (bounciness, speed, frames) in seen {
            let spring = Spring(SpringSettings(bounciness: bounciness, speed: speed))
            let duration = spring.settlingDuration(largest: 150, length: 150, threshold: 1)
            #expect(abs(duration.value - frames * 1000 / 60) < 1e-6)
        }
    }

    @Test func aSpringEndsExactlyAtItsTarget() {
        let spring = Spring(SpringSettings(bounciness: 10, speed: 20))
        for distance in [0.3, 2, 14, 30, 41, 50, 95, 180, 280, 5000] {
            let from = Vector(x: distance, y: -distance / 3)
            let track = Track(from: from, to: .zero, start: 1000, spring: spring)
            #expect(track.value(at: track.end) == .zero)
            // The jump on the last frame is less than a point.
            let late = track.value(at: Instant(track.end.milliseconds - 0.001))
            #expect(abs(late.x) < 1 && abs(late.y) < 1)
        }
    }
}
