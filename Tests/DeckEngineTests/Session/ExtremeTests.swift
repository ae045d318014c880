import Glibc
import Testing

@testable import DeckEngine

/// Inputs at the limits of the valid ranges: nothing traps, all numbers stay finite, and the session can be stored.
struct ExtremeTests {
    static let viewports = [
        Size(width: 1, height: 1), Size(width: 100_000, height: 100_000), Size(width: 1, height: 100_000),
        Size(width: 0.001, height: 700), Size(width: 300, height: 8.000000000000002),
    ]

    @Test(arguments: viewports, Preset.allCases)
    func everySizeTakesEveryGesture(viewport: Size, preset: Preset) throws {
        for visible in [1, 2, 32] {
            for tracking in Tracking.allCases {
                var settings = DeckSettings(preset: preset)
                settings.motion.tracking = tracking
                settings.motion.exitFollowsFinger = visible == 2
                settings.rules.allowedDirections = Directions(Direction.allCases)
                if case .stack(var stack) = settings.layout {
                    stack.visibleCount = visible
                    settings.layout = .stack(stack)
                }
                try play(Deck(cards: .numbered(40), settings: settings), viewport)
            }
        }
    }

    @Test(arguments: [0.0, 20], [0.0, 20])
    func everySpringComesToRest(bounciness: Double, speed: Double) throws {
        var settings = DeckSettings()
        settings.motion.resetSpring = SpringSettings(bounciness: bounciness, speed: speed)
        settings.motion.backgroundSpring = settings.motion.resetSpring
        for viewport in Self.viewports {
            try play(Deck(cards: .numbered(40), settings: settings), viewport)
            var stretched = settings
            var layout = StretchedLayout()
            // A large card behind swings far beyond the small place in front.
            layout.backgroundScale = 10
            stretched.layout = .stretched(layout)
            try play(Deck(cards: .numbered(40), settings: stretched), viewport)
        }
    }

    @Test func animationsCanTakeNoTime() throws {
        for policy in BusyPolicy.allCases {
            var settings = DeckSettings()
            settings.rules.whileAnimating = policy
            settings.motion.dragSpeed = 0
            settings.motion.backgroundDuration = 0
            settings.motion.appearDuration = 0
            settings.motion.revertDuration = 0
            settings.motion.revertFadeDuration = 0
            settings.motion.resetDuration = 0
            try play(Deck(cards: .numbered(40), settings: settings), Size(width: 300, height: 400))
            var session = DeckSession.make { $0 = settings }
            try session.swipe(.right, at: 0)
            #expect(!session.shown.animating)
            try session.revert(.origin, at: 0)
            #expect(!session.shown.animating)
            #expect(session.shown.cards == DeckSession.make { $0 = settings }.shown.cards)
        }
    }

    /// Drags far in every direction, releases, swipes and reverts, and reads the frames on the way.
    private func play(_ deck: Deck, _ viewport: Size) throws {
        var session = DeckSession.begin(deck: deck, viewport: viewport, appears: true).session
        var time = 2000.0
        for (x, y) in [(1e6, 1e6), (-1e6, 0), (0, -1e6), (1e-300, -1e-300), (-1e6, 1e6)] {
            for phase in [DragEvent.Phase.changed, .cancelled, .ended] {
                let event = DragEvent(
                    phase,
                    translation: Vector(x: x, y: y),
                    location: Vector(x: y, y: x),
                    velocity: Vector(x: y, y: -x)
                )
                _ = try session.apply(.drag(event), at: Instant(time))
                look(at: session)
                time += 150
            }
            try session.revert(.origin, at: Instant(time))
            look(at: session)
            try session.swipe(.bottomLeft, at: Instant(time + 20))
            look(at: session)
            time += 3000
        }
    }

    private func look(at session: DeckSession) {
        for later: Milliseconds in [0, 30, 110, 400, 31_000] {
            #expect(session.frame(at: session.now + later).faults == [])
        }
        #expect(session.settled.shown.settlesAt == nil)
        let isStored = (try? DeckSession(snapshot: session.snapshot(withCards: true))) == session
        #expect(isStored)
    }

    @Test func tenMillionCardsAreAsFastAsTen() throws {
        var session = DeckSession.make(10_000_000, from: 9_000_000)
        let seconds = try processorSeconds {
            for index in 0..<300 {
                let time = Instant(Double(index) * 1000)
                try session.drag(.ended, .x(200), at: time)
                #expect(session.frame(at: time + 100).cards.count == 4)
                if index % 3 == 0 { try session.revert(.origin, at: time + 500) }
            }
            try session.reload(10_000_000, at: 400_000)
            try session.reset(at: 400_001)
        }
        #expect(session.shown.cards.map(\.id) == ["0", "1", "2"])
        // Iterating over the cards, or copying them, takes longer than this every time.
        #expect(seconds < 2)
    }

    /// The processor time of this thread, which does not depend on what else the machine does.
    private func processorSeconds(_ body: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = now()
        try body()
        return now() - start
    }

    @Test func aLoopOfTenMillionCardsHasASeamToo() throws {
        var session = DeckSession.make(10_000_000, from: 9_999_999) { $0.loop = true }
        #expect(session.visibleIndices == [9_999_999, 0, 1])
        try session.swipe(.left, at: 0)
        try session.revert(at: 10)
        #expect(session.currentIndex == 9_999_999)
    }

    @Test func timeCanBeVeryLate() throws {
        var session = DeckSession.make()
        try session.swipe(.right, at: 1e15)
        #expect(session.frame(at: 1e15).faults == [])
        #expect(session.frame(at: 1.000000000001e15).placed.map(\.index) == [1, 2, 3])
        #expect(session.frame(at: 1.000000000001e15).settlesAt == nil)
    }
}
