import Testing

@testable import DeckEngine

/// The exits of swiped cards, with numbers that were computed separately.
struct FlyOutTests {
    @Test(arguments: Direction.allCases)
    func aCardSwipedByCallFliesOutAndTurns(direction: Direction) throws {
        let exit = try #require(Expected.exits[direction])
        let turn = try #require(Expected.turns[direction])
        var session = DeckSession.make { $0.rules.allowedDirections = Directions(Direction.allCases) }
        try session.swipe(direction, at: 1000)
        for elapsed in [0.0, 1, 50, 200, 400, 640, 799] {
            let card = try #require(session.frame(at: Instant(1000 + elapsed)).leaving.first)
            let part = Expected.ease(elapsed / 800)
            #expect(abs(card.matrix.tx - part * exit.x) < 1e-5)
            #expect(abs(card.matrix.ty - part * exit.y) < 1e-5)
            #expect(abs(card.matrix.degrees - part * turn) < 1e-6)
            #expect(abs(card.matrix.scale - 1) < 1e-12)
            #expect(card.overlay?.direction == direction)
            #expect(abs(try #require(card.overlay).progress - part) < 1e-8)
            #expect(card.opacity == 1)
            #expect(card.frame == Expected.slots[0])
        }
        #expect(session.frame(at: 1799.9).leaving.count == 1)
        #expect(session.frame(at: 1800).leaving.isEmpty)
        #expect(session.shown.settlesAt == 1800)
    }

    @Test(arguments: Direction.allCases)
    func aCardSwipedByHandFliesOnFromWhereItWasLetGo(direction: Direction) throws {
        let exit = try #require(Expected.exits[direction])
        var session = DeckSession.make { $0.rules.allowedDirections = [direction] }
        let way = Vector(x: 140 * direction.point.x, y: 190 * direction.point.y)
        try session.drag(.changed, way, location: Vector(x: 100, y: 90), at: 0)
        let held = try session.front
        #expect(try session.drag(.ended, at: 0).ending == .swiped)
        for elapsed in [0.0, 100, 333, 777] {
            let card = try #require(session.frame(at: Instant(elapsed)).leaving.first)
            let part = Expected.ease(elapsed / 800)
            #expect(abs(card.matrix.tx - (way.x + part * (exit.x - way.x))) < 1e-5)
            #expect(abs(card.matrix.ty - (way.y + part * (exit.y - way.y))) < 1e-5)
            // It keeps its turn and its size, and shows its overlay in full.
            #expect(abs(card.matrix.degrees - held.matrix.degrees) < 1e-12)
            #expect(abs(card.matrix.scale - held.matrix.scale) < 1e-12)
            #expect(card.overlay == FrameOverlay(direction: direction, progress: 1, alpha: 1))
        }
        #expect(session.frame(at: 800).leaving.isEmpty)
    }

    @Test func theScreenSaysHowFarAndTheDeckIsItsOwnScreenByDefault() throws {
        let deck = Deck(cards: .numbered(5))
        var session = DeckSession.begin(deck: deck, viewport: Size(width: 300, height: 400)).session
        try session.swipe(.left, at: 0)
        let card = try #require(session.frame(at: 799.999).leaving.first)
        #expect(abs(card.matrix.tx + 700) < 1e-3)
        #expect(abs(card.matrix.ty - 200) < 1e-3)
    }

    @Test func theDragSpeedIsTheDurationOfTheWayOut() throws {
        var session = DeckSession.make { $0.motion.dragSpeed = 400 }
        try session.swipe(.left, at: 0)
        #expect(abs(session.frame(at: 200).leaving[0].matrix.tx + 967 * Expected.ease(0.5)) < 1e-5)
        #expect(session.frame(at: 400).leaving.isEmpty)
    }

    @Test func anOverlayGrowsOnFromWhatTheDragShowed() throws {
        func progress(_ direction: Direction) throws -> Double {
            var session = DeckSession.make()
            try session.drag(.changed, .x(30), at: 0)
            try session.swipe(direction, at: 0)
            return try #require(session.frame(at: 400).leaving.first?.overlay).progress
        }
        let half = Expected.ease(0.5)
        #expect(abs(try progress(.right) - (0.4 + 0.6 * half)) < 1e-8)
        #expect(abs(try progress(.left) - half) < 1e-8)
    }
}
