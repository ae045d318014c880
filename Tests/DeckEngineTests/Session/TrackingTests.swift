import RandomTesting
import Testing

@testable import DeckEngine

/// The front card while a finger holds it.
struct TrackingTests {
    static let size = Size(width: 300, height: 392)

    @Test func theTouchedPointStaysUnderTheFinger() throws {
        var random = SeededNumbers(seed: 11)
        for _ in 0..<300 {
            let location = Vector(x: .random(in: 0...300, using: &random), y: .random(in: 0...392, using: &random))
            let way = Vector(x: .random(in: -600...600, using: &random), y: .random(in: -600...600, using: &random))
            var session = DeckSession.make()
            try session.drag(.began, location: location, at: 0)
            try session.drag(.changed, way, at: 16)
            let place = try session.front.place(of: location, onCardOf: Self.size)
            #expect(abs(place.x - location.x - way.x) < 1e-9)
            #expect(abs(place.y - location.y - way.y) < 1e-9)
        }
    }

    @Test func theCardTurnsAndShrinksWithItsWayAcross() throws {
        var session = DeckSession.make()
        try session.drag(.changed, Vector(x: 150, y: 40), location: Vector(x: 90, y: 20), at: 0)
        let matrix = try session.front.matrix
        // Half its width: half of 18 degrees, and half the way from 1 to 0.8.
        #expect(abs(matrix.degrees - 9) < 1e-9)
        #expect(abs(matrix.scale - 0.9) < 1e-12)
        #expect(matrix.tx == 150)
        #expect(matrix.ty == 40)
        let anchor = try session.front.anchor
        #expect(abs(anchor.x - 0.3) < 1e-12)
        #expect(abs(anchor.y - 20 / 392) < 1e-12)
    }

    @Test(arguments: [(195.9, 9.0), (196, -9), (300, -9), (0, 9)])
    func aCardGrabbedInItsLowerHalfTurnsTheOtherWay(y: Double, degrees: Double) throws {
        var session = DeckSession.make()
        try session.drag(.changed, .x(150), location: Vector(x: 150, y: y), at: 0)
        #expect(try abs(session.front.matrix.degrees - degrees) < 1e-9)
    }

    @Test(arguments: [Tracking.finger, .koloda])
    func rotationAndScaleAreLimitedOnBothSides(tracking: Tracking) throws {
        for limit in [0, 0.3, 1] {
            for way in [-1e6, -900, -301, 301, 900, 1e6] {
                var session = DeckSession.make {
                    $0.motion.rotationMax = limit
                    $0.motion.tracking = tracking
                }
                try session.drag(.changed, .x(way), location: .zero, at: 0)
                let matrix = try session.front.matrix
                #expect(abs(matrix.degrees - (way < 0 ? -18 : 18) * limit) < 1e-9)
                #expect(abs(matrix.scale - (1 - 0.2 * limit)) < 1e-12)
            }
        }
    }

    @Test func kolodaTurnsAndScalesTheFingersWayToo() throws {
        var session = DeckSession.make(preset: .koloda)
        try session.drag(.changed, Vector(x: 150, y: 0), location: .zero, at: 0)
        let matrix = try session.front.matrix
        // 0.9 of the way, turned by 9 degrees.
        #expect(abs(matrix.tx - 135 * 0.9876883405951378) < 1e-9)
        #expect(abs(matrix.ty - 135 * 0.15643446504023087) < 1e-9)
    }

    @Test func theCardsBehindMoveUpAsFarAsTheCardIsDragged() throws {
        var session = DeckSession.make()
        // 60 of 150 points.
        try session.drag(.changed, .x(60), at: 0)
        let cards = session.shown.cards
        for place in 1...2 {
            let (own, next) = (Expected.slots[place], Expected.slots[place - 1])
            #expect(abs(cards[place].frame.x - (own.x + 0.4 * (next.x - own.x))) < 1e-9)
            #expect(abs(cards[place].frame.y - (own.y + 0.4 * (next.y - own.y))) < 1e-9)
            #expect(abs(cards[place].frame.width - (own.width + 0.4 * (next.width - own.width))) < 1e-9)
            #expect(abs(cards[place].frame.height - (own.height + 0.4 * (next.height - own.height))) < 1e-9)
        }
        #expect(abs(cards[1].opacity - 0.82) < 1e-12)
        #expect(cards[2].opacity == 0.7)
        #expect(cards[0].frame == Expected.slots[0])
        // Their content is scaled like the cards.
        #expect(abs(cards[1].contentScale.x - cards[1].frame.width / 300) < 1e-12)
        #expect(abs(cards[1].contentScale.y - cards[1].frame.height / 392) < 1e-12)
    }

    @Test func theCardsBehindStayWhereTheDeckSaysSo() throws {
        var session = DeckSession.make { $0.motion.moveBackground = false }
        try session.drag(.changed, .x(140), at: 0)
        #expect(session.shown.cards.dropFirst().map(\.frame) == Array(Expected.slots.dropFirst()))
        #expect(session.shown.cards.map(\.opacity) == [1, 0.7, 0.7])
        var opaque = DeckSession.make { $0.appearance.fadeNext = false }
        try opaque.drag(.changed, .x(70), at: 0)
        #expect(opaque.shown.cards.map(\.opacity) == [1, 1, 1])
    }

    @Test func theOverlayGrowsOnTheWayToTheThreshold() throws {
        func overlay(_ way: Double, start: Double = 0, end: Double = 1) throws -> FrameOverlay? {
            var session = DeckSession.make {
                $0.overlay.range.start = start
                $0.overlay.range.end = end
            }
            try session.drag(.changed, .x(way), at: 0)
            return try session.front.overlay
        }
        #expect(try overlay(30) == FrameOverlay(direction: .right, progress: 0.4, alpha: 0.4))
        #expect(try overlay(-30) == FrameOverlay(direction: .left, progress: 0.4, alpha: 0.4))
        #expect(try overlay(75) == FrameOverlay(direction: .right, progress: 1, alpha: 1))
        #expect(try overlay(140) == FrameOverlay(direction: .right, progress: 1, alpha: 1))
        #expect(try overlay(30, start: 0.5) == FrameOverlay(direction: .right, progress: 0, alpha: 0))
        #expect(abs(try #require(try overlay(30, start: 0.2, end: 0.6)).progress - 0.5) < 1e-12)
        #expect(try overlay(60, start: 0.2, end: 0.6) == FrameOverlay(direction: .right, progress: 1, alpha: 1))
        // At once if it starts and ends at the same point.
        #expect(try overlay(30, start: 0.5, end: 0.5)?.progress == 0)
        #expect(try overlay(60, start: 0.5, end: 0.5)?.progress == 1)
        #expect(DeckSession.make().shown.cards.allSatisfy { $0.overlay == nil })
    }
}
