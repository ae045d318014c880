import RandomTesting
import Testing

@testable import DeckEngine

/// The effect of a release: by distance, by speed, and if the two disagree.
struct DecisionTests {
    private let reset = Ending.reset(.belowThreshold)

    @Test func everyDirectionHasItsOwnThreshold() throws {
        var session = DeckSession.make(50) {
            $0.rules.allowedDirections = [.left, .right, .up, .down]
            $0.rules.swipeThresholds[.left] = 0.8
            $0.rules.swipeThresholds[.up] = 0.25
        }
        let cases: [(Vector, Ending)] = [
            (.x(-119), reset), (.x(-121), .swiped), (.x(74), reset), (.x(76), .swiped),
            (.y(-48), reset), (.y(-50), .swiped), (.y(97), reset), (.y(99), .swiped),
        ]
        for (number, (way, ending)) in cases.enumerated() {
            let outcome = try session.drag(.ended, way, velocity: .zero, at: Instant(Double(number) * 2000))
            #expect(outcome.ending == ending, "\(way)")
        }
    }

    @Test func aFlingCountsAlongItsDirection() throws {
        var session = DeckSession.make(50) { $0.rules.allowedDirections = [.topRight] }
        let way = Vector(x: 20, y: -20)
        // 530 both ways are 749.5 along the diagonal, 531 are 751.
        let slow = try session.drag(.ended, way, velocity: Vector(x: 530, y: -530), at: 0)
        #expect(slow.ending == reset)
        #expect(try session.drag(.ended, way, velocity: Vector(x: 531, y: -531), at: 2000).ending == .swiped)
        // Speed across the direction does not count.
        #expect(try session.drag(.ended, way, velocity: Vector(x: 5000, y: 5000), at: 4000).ending == reset)
    }

    @Test func aFlingNeedsAWayAndASpeedThatAgree() throws {
        var session = DeckSession.make(50)
        #expect(try session.drag(.ended, .x(-1), velocity: .x(3000), at: 0).ending == reset)
        #expect(try session.drag(.ended, .zero, velocity: .x(3000), at: 1000).ending == reset)
        // A tie goes to the left, and a finger that has not moved in a direction does not fling.
        #expect(try session.drag(.ended, .zero, velocity: .x(-3000), at: 1500).ending == reset)
        #expect(try session.drag(.ended, .x(1), velocity: .x(3000), at: 2000).ending == .swiped)
        session.scene.settings.rules.velocityThreshold = nil
        #expect(try session.drag(.ended, .x(1), velocity: .x(900_000), at: 4000).ending == reset)
    }

    @Test func pullingBackCancels() throws {
        var session = DeckSession.make(50)
        #expect(try session.drag(.ended, .x(140), velocity: .x(-751), at: 0).ending == .reset(.pulledBack))
        #expect(try session.drag(.ended, .x(140), velocity: .x(-749), at: 2000).ending == .swiped)
        session.scene.settings.rules.pullBackCancels = false
        #expect(try session.drag(.ended, .x(140), velocity: .x(-751), at: 4000).ending == .swiped)
    }

    @Test func aDeniedDirectionIsRefusedWithItsReason() throws {
        var session = DeckSession.make { $0.rules.deniedDirections = [.left] }
        #expect(try session.drag(.ended, .x(-140), velocity: .zero, at: 0).ending == .reset(.directionDenied))
        #expect(try session.drag(.ended, .x(-10), velocity: .x(-2000), at: 2000).ending == .reset(.directionDenied))
        session.scene.settings.rules.allowedDirections = []
        #expect(try session.drag(.ended, .x(140), velocity: .zero, at: 4000).ending == .reset(.directionNotAllowed))
    }

    // MARK: The engine's samples

    /// The slope of the least-squares line through the samples of the last 100 ms, by the normal equations.
    private func slope(_ moments: [(time: Double, x: Double)], at release: Double) -> Double {
        let recent = moments.suffix(8).filter { $0.time >= release - 100 }
        let n = Double(recent.count)
        let t = recent.reduce(0) { $0 + $1.time }
        let x = recent.reduce(0) { $0 + $1.x }
        let tt = recent.reduce(0) { $0 + $1.time * $1.time }
        let tx = recent.reduce(0) { $0 + $1.time * $1.x }
        return (n * tx - t * x) / (n * tt - t * t) * 1000
    }

    @Test(arguments: UInt64(1)...60)
    func theSpeedIsTheSlopeThroughTheLastMoments(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        var moments = [(time: 0.0, x: 0.0)]
        for _ in 0..<Int.random(in: 3...14, using: &random) {
            let time = moments[moments.count - 1].time + Double.random(in: 6...24, using: &random)
            let x = moments[moments.count - 1].x + Double.random(in: 0...9, using: &random)
            moments.append((time, x))
        }
        let release = moments[moments.count - 1].time
        let expected = slope(moments, at: release)
        for (part, ending) in [(0.9999, Ending.swiped), (1.0001, reset)] {
            var session = DeckSession.make {
                $0.rules.swipeThreshold = 1
                $0.rules.velocityThreshold = part * expected
            }
            for (number, moment) in moments.enumerated() {
                try session.drag(number == 0 ? .began : .changed, .x(moment.x), at: Instant(moment.time))
            }
            #expect(try session.drag(.ended, at: Instant(release)).ending == ending, "\(expected) points/s")
        }
    }

    @Test func aFingerThatRestedBeforeItLetGoDoesNotFling() throws {
        var session = DeckSession.make(50)
        try session.drag(.began, .zero, at: 0)
        try session.drag(.changed, .x(40), at: 20)
        #expect(try session.drag(.ended, .x(40), at: 121).ending == reset)
        // A gesture in a single event has no speed, however short it was.
        #expect(try session.drag(.ended, .x(40), at: 2000).ending == reset)
        // Samples within 19 ms are not enough.
        try session.drag(.began, .zero, at: 4000)
        #expect(try session.drag(.ended, .x(40), at: 4019).ending == reset)
        try session.drag(.began, .zero, at: 6000)
        #expect(try session.drag(.ended, .x(40), at: 6020).ending == .swiped)
    }

    @Test func aFlungCardLeavesAsFastAsTheFingerWas() throws {
        var session = DeckSession.make(50)
        // 967 − 40 points at 3000 points a second are 309 ms.
        try session.drag(.ended, .x(40), velocity: .x(3000), at: 0)
        #expect(abs(try #require(session.stage.leaving.first).departure.end.milliseconds - 309) < 1e-9)
        try session.drag(.ended, .x(40), velocity: .x(100_000), at: 1000)
        #expect(session.stage.leaving.last?.departure.end == 1100)
        try session.drag(.ended, .x(140), velocity: .x(700), at: 2000)
        #expect(session.stage.leaving.last?.departure.end == 2800)
        session.scene.settings.motion.exitFollowsFling = false
        try session.drag(.ended, .x(40), velocity: .x(3000), at: 4000)
        #expect(session.stage.leaving.last?.departure.end == 4800)
    }

    @Test func aLimitOfNoSpeedStillNeedsOne() throws {
        var session = DeckSession.make(50) { $0.rules.velocityThreshold = 0 }
        // At rest a release beyond the threshold swipes, and one below it goes back.
        #expect(try session.drag(.ended, .x(140), velocity: .zero, at: 0).ending == .swiped)
        #expect(try session.drag(.ended, .x(10), velocity: .zero, at: 2000).ending == .reset(.belowThreshold))
        #expect(try session.drag(.ended, .x(10), velocity: .x(0.001), at: 4000).ending == .swiped)
        #expect(try session.drag(.ended, .x(140), velocity: .x(-0.001), at: 6000).ending == .reset(.pulledBack))
    }

    /// 3 points a millisecond, and then 60 ms at the same point.
    @Test func aFingerThatRestsHasStoppedHoweverOftenItSaysSo() throws {
        for repeats in [[], [40.0], [30, 45, 60, 75]] {
            var session = DeckSession.make(50) { $0.rules.swipeThreshold = 1 }
            try session.drag(.began, at: 0)
            for time in [8.0, 16, 24] { try session.drag(.changed, .x(3 * time), at: Instant(time)) }
            for time in repeats { try session.drag(.changed, .x(72), at: Instant(time)) }
            #expect(try session.drag(.ended, .x(72), at: 84).ending == .reset(.belowThreshold), "\(repeats)")
        }
        var moving = DeckSession.make(50) { $0.rules.swipeThreshold = 1 }
        try moving.drag(.began, at: 0)
        for time in [8.0, 16, 24] { try moving.drag(.changed, .x(3 * time), at: Instant(time)) }
        #expect(try moving.drag(.ended, .x(72), at: 60).ending == .swiped)
    }
}
