import RandomTesting
import Testing

@testable import DeckEngine

/// How far a card follows the finger, and the frame of a drag.
struct FingerTests {
    @Test(arguments: [
        (DragAxis.free, Vector(x: 80, y: -30)), (.horizontal, Vector(x: 80, y: 0)), (.vertical, Vector(x: 0, y: -30)),
        (.dominant, Vector(x: 80, y: 0)),
    ])
    func aCardMovesAlongItsAxis(axis: DragAxis, expected: Vector) throws {
        var session = DeckSession.make { $0.rules.dragAxis = axis }
        try session.drag(.changed, Vector(x: 80, y: -30), at: 0)
        #expect(session.shown.drag?.translation == expected)
        let matrix = try session.front.matrix
        #expect(Vector(x: matrix.tx, y: matrix.ty) == expected)
    }

    @Test func theDominantAxisIsTheOneTheFingerIsFartherAlong() throws {
        var session = DeckSession.make { $0.rules.dragAxis = .dominant }
        for (way, expected) in [
            (Vector(x: 10, y: 10), Vector.x(10)), (Vector(x: 10, y: 11), .y(11)), (Vector(x: -12, y: 11), .x(-12)),
        ] {
            try session.drag(.changed, way, at: session.now + 10)
            #expect(session.shown.drag?.translation == expected)
        }
    }

    @Test(arguments: [
        ([Direction.right], Vector(x: -50, y: 40), Vector.zero), ([.right], Vector(x: 50, y: 40), .x(50)),
        ([.up, .left], Vector(x: -50, y: 40), .x(-50)), ([.bottomLeft], Vector(x: -50, y: 40), Vector(x: -50, y: 40)),
        ([], Vector(x: 9, y: 9), .zero),
    ])
    func aCardMovesOnlyWhereItMay(directions: [Direction], way: Vector, expected: Vector) throws {
        var session = DeckSession.make { $0.rules.dragDirections = Directions(directions) }
        try session.drag(.changed, way, at: 0)
        #expect(session.shown.drag?.translation == expected)
        var card = Card(id: "own")
        card.dragDirections = Directions(directions)
        var own = DeckSession.make([card])
        try own.drag(.changed, way, at: 0)
        #expect(own.shown.drag?.translation == expected)
    }

    /// The drag depends only on the last position of the finger and on the rules of the moment.
    @Test func newRulesApplyToTheFingerThatHoldsACard() throws {
        var session = DeckSession.make { $0.rules.allowedDirections = [.up, .left, .right] }
        try session.drag(.changed, Vector(x: 10, y: -180), at: 0)
        var settings = session.settings
        settings.rules.dragAxis = .horizontal
        let change = try session.apply(.configure(settings), at: 10)
        #expect(change.trace == ["thresholdUncrossed 0 up"])
        let drag = try #require(session.shown.drag)
        #expect(drag.translation == .x(10) && drag.direction == .right && drag.decision == .resets(.belowThreshold))
        settings.rules.dragAxis = .free
        _ = try session.apply(.configure(settings), at: 20)
        #expect(session.shown.drag?.translation == Vector(x: 10, y: -180))
        #expect(try session.drag(.ended, velocity: .zero, at: 30).ending == .swiped)
    }

    @Test func aCardsNewDirectionsApplyToTheFingerThatHoldsIt() throws {
        var session = DeckSession.make([Card(id: "a"), Card(id: "b")])
        try session.drag(.changed, Vector(x: -50, y: 40), at: 0)
        var card = Card(id: "a")
        card.dragDirections = [.left]
        let fresh = Deck(cards: .listed([card, Card(id: "b")]), settings: session.settings)
        _ = try session.apply(.refresh(0..<1, from: fresh), at: 10)
        #expect(session.shown.drag?.translation == .x(-50))
        #expect(try session.front.matrix.ty == 0)
    }

    @Test func draggingAndDecidingHaveSetsOfTheirOwn() throws {
        // Right is a verdict, but only by a command: a finger moves the card to the left and back.
        var session = DeckSession.make {
            $0.rules.dragDirections = [.left]
            $0.rules.allowedDirections = [.right]
        }
        #expect(try session.drag(.ended, .x(-200), velocity: .zero, at: 0).ending == .reset(.belowThreshold))
        #expect(try session.drag(.ended, .x(200), velocity: .zero, at: 1000).ending == .reset(.belowThreshold))
        #expect(try session.swipe(.right, at: 2000).ending == .swiped)
    }

    @Test(arguments: UInt64(1)...40)
    func theFrameForetellsTheRelease(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        var session = DeckSession.make(100) {
            $0.rules.allowedDirections = Directions(Direction.allCases.shuffled(using: &random).prefix(5))
            $0.rules.deniedDirections = Directions(Direction.allCases.shuffled(using: &random).prefix(2))
            $0.rules.swipeThresholds[.left] = 0.7
        }
        for number in 0..<20 {
            let time = Instant(Double(number) * 3000)
            let way = Vector(x: .random(in: -220...220, using: &random), y: .random(in: -260...260, using: &random))
            let step = try session.drag(.changed, way, at: time)
            let drag = try #require(session.shown.drag)
            let threshold = drag.direction.map(session.settings.rules.threshold) ?? 0.5
            #expect(drag.thresholdProgress == min(drag.progress / threshold, 1))
            for case .dragged(_, let percentage, let direction) in step.notifications.map(\.kind) {
                #expect(percentage == 100 * drag.progress)
                #expect(direction == drag.direction)
            }
            let outcome = try session.drag(.ended, velocity: .zero, at: time + 500)
            switch drag.decision {
            case .swipes(let direction):
                #expect(outcome.ending == .swiped)
                #expect(outcome.direction == direction)
            case .resets(let reason): #expect(outcome.ending == .reset(reason))
            case .waits, .reverts: Issue.record("no rule asks for that")
            }
        }
    }

    @Test func bothPercentagesSayHowFarItIs() throws {
        var session = DeckSession.make { $0.rules.swipeThreshold = 0.8 }
        for (x, way, threshold) in [(30.0, 0.2, 0.25), (60, 0.4, 0.5), (135, 0.9, 1), (400, 1, 1), (0, 0, 0)] {
            try session.drag(.changed, .x(x), at: session.now + 10)
            let drag = try #require(session.shown.drag)
            #expect(abs(drag.progress - way) < 1e-12)
            #expect(abs(drag.thresholdProgress - threshold) < 1e-12)
        }
    }

    // MARK: Overlays

    private func overlay(_ session: inout DeckSession, _ way: Vector) throws -> FrameOverlay? {
        try session.drag(.changed, way, at: session.now + 10)
        return try session.front.overlay
    }

    @Test func anOverlayComesInOverItsRange() throws {
        var session = DeckSession.make {
            $0.overlay.range.start = 0.2
            $0.overlay.range.end = 0.6
            var left = OverlayRange()
            left.start = 0.5
            $0.overlay.directions[.left] = left
        }
        // The threshold is at 75 points.
        for (x, progress) in [(7.5, 0.0), (15, 0), (30, 0.5), (45, 1), (75, 1), (-37.5, 0), (-56.25, 0.5), (-75, 1)] {
            let shown = try #require(try overlay(&session, .x(x)))
            #expect(abs(shown.progress - progress) < 1e-12, "\(x)")
            #expect(shown.direction == (x < 0 ? .left : .right))
            #expect(shown.alpha == shown.progress)
        }
    }

    @Test(arguments: [
        (Curve.linear, [0.25, 0.5, 0.75]), (.ease, [0.4085, 0.8024, 0.9605]),
        (.easeIn, [0.0935, 0.3154, 0.6219]),
        (.easeOut, [0.3781, 0.6846, 0.9065]), (.easeInOut, [0.1292, 0.5, 0.8708]),
    ])
    func anOverlaysOpacityFollowsItsCurve(curve: Curve, alphas: [Double]) throws {
        var session = DeckSession.make {
            var up = OverlayRange()
            up.curve = curve
            $0.overlay.directions[.right] = up
        }
        for (part, alpha) in zip([0.25, 0.5, 0.75], alphas) {
            let shown = try #require(try overlay(&session, .x(75 * part)))
            #expect(abs(shown.progress - part) < 1e-12)
            #expect(abs(shown.alpha - alpha) < 1e-4)
            #expect(try overlay(&session, .x(-75 * part))?.alpha == part)
        }
    }
}
