import Testing

@testable import DeckEngine

/// Whatever events come, a session has only numbers that can be read from its snapshot.
struct SnapshotNumberTests {
    private func check(_ session: DeckSession) throws {
        let read = try DeckSession(snapshot: session.snapshot(withCards: true))
        let (isSame, isFinite) = (read == session, session.shown.isFinite)
        #expect(isSame && isFinite)
    }

    private static let shortLengths = [1e-3, 1e-100, 1000 * Double.leastNonzeroMagnitude, .leastNonzeroMagnitude]

    @Test(arguments: shortLengths)
    func aShortVectorIsADirection(length: Double) throws {
        for way in [Vector(x: length, y: 0), Vector(x: -length, y: length), Vector(x: 0, y: -length)] {
            var (long, short) = (DeckSession.make(), DeckSession.make())
            let unit = Vector(x: way.x / length, y: way.y / length)
            _ = try long.apply(.swipe(.right, SwipeOptions(toward: unit)), at: 0)
            _ = try short.apply(.swipe(.right, SwipeOptions(toward: way)), at: 0)
            #expect(short.frame(at: 700) == long.frame(at: 700))
            try check(short)
        }
    }

    @Test(arguments: shortLengths)
    func aSlowFingerHasADirection(speed: Double) throws {
        var session = DeckSession.make { $0.motion.exitFollowsFinger = true }
        try session.drag(.ended, Vector(x: 200, y: 0), velocity: Vector(x: speed, y: 0), at: 0)
        try check(session)
        #expect(session.frame(at: 1).leaving.count == 1)
        #expect(session.frame(at: 1).isFinite)
    }

    /// The standard card is 8 points lower than its deck.
    @Test(arguments: [8.000000000000002, 8.000001, 8.1])
    func aCardCanBeLowerThanAnyFinger(height: Double) throws {
        var (session, _) = DeckSession.begin(
            deck: Deck(cards: .numbered(9), settings: DeckSettings(preset: .standard)),
            viewport: Size(width: 300, height: height)
        )
        for phase in [DragEvent.Phase.changed, .ended] {
            let drag = DragEvent(phase, translation: .x(200), location: Vector(x: 0, y: 1_000_000))
            _ = try session.apply(.drag(drag), at: 0)
            try check(session)
        }
    }

    /// Each drag ends before the card has moved back.
    @Test(arguments: Tracking.allCases)
    func dragsAtOneTimeAddUpToALimit(tracking: Tracking) throws {
        var session = DeckSession.make {
            $0.motion.scaleMin = 4
            $0.motion.rotationMax = 100
            $0.motion.tracking = tracking
        }
        for number in 0..<400 {
            try session.drag(.ended, .x(number.isMultiple(of: 2) ? 1 : -1), at: 0)
            if number.isMultiple(of: 25) { try check(session) }
        }
        try check(session)
    }
}
