import DeckEngine
import DeckWire
import Glibc
import Testing

/// Frames and pictures of whatever a deck can be set to hold finite numbers only, at every moment of every motion.
@Suite struct FiniteNumberTests {
    private static let viewport = Size(width: 300, height: 400)
    /// A swipe, and what interrupts each motion in the midst of it.
    private static let events: [(at: Double, event: Event)] = [
        (0, .swipe(.left)), (160, .revert(.origin)), (420, .nudge(.right)), (700, .swipe(.right)), (840, .reset),
    ]
    private static let times = stride(from: 0.0, through: 1100, by: 7)

    private static let springs = [(0.0, 0.0), (8, 10), (20, 0), (20, 10), (20, 20)].map {
        SpringSettings(bounciness: $0.0, speed: $0.1)
    }

    /// The picture that stopped the server.
    @Test func aCardThatASpringSqueezesToNothingIsDrawn() throws {
        let document = try deck(#"{"count":3,"layout":{"scale":0.05},"motion":{"backgroundSpring":{}}}"#)
        var (session, _) = DeckSession.begin(deck: document.deck, viewport: Self.viewport)
        _ = try session.apply(.swipe(.left), at: 0)
        _ = try session.apply(.revert(.fade), at: 1000)
        #expect(session.frame(at: 1162).cards.contains { $0.frame.width == 0 })
        expectFinite(session, at: 1162)
    }

    @Test(arguments: StackOrigin.allCases, [0.05, 0.1, 0.2, 0.65, 0.95, 1.2])
    func aStackHasFiniteNumbersOnly(from: StackOrigin, scale: Double) throws {
        var stack = StackLayout()
        (stack.from, stack.scale) = (from, scale)
        // All springs with each of the 54 stacks would take long; each scale meets every spring, from one side or another.
        let first = Int(from.rawValue)
        for step in [0, 2] { try check(.stack(stack), Self.springs[(first + step) % Self.springs.count]) }
    }

    @Test(arguments: [0.01, 1.25, 100], [0.01, 1.5, 100])
    func aStretchedDeckHasFiniteNumbersOnly(heightRatio: Double, backgroundScale: Double) throws {
        var stretched = StretchedLayout()
        (stretched.heightRatio, stretched.backgroundScale) = (heightRatio, backgroundScale)
        for spring in Self.springs { try check(.stretched(stretched), spring) }
    }

    @Test(arguments: [1.0, 100, 2000, 100_000], [0.05, 0.1, 1])
    func aCarouselHasFiniteNumbersOnly(perspective: Double, scaleStep: Double) throws {
        var flip = FlipLayout()
        (flip.perspective, flip.scaleStep) = (perspective, scaleStep)
        for spring in Self.springs { try check(.flip(flip), spring) }
    }

    /// Seen from as far as the card is high, a card that stands upright touches the eye with its upper edge.
    @Test func aCardThatTouchesTheEyeHasFiniteNumbersOnly() throws {
        func session(_ flip: FlipLayout) throws -> DeckSession {
            var settings = DeckSettings()
            settings.layout = .flip(flip)
            var session = begin(settings)
            _ = try session.apply(.scroll(ScrollEvent(.changed, offset: flip.spacing / 2)), at: 0)
            return session
        }
        let cards = try session(FlipLayout()).frame(at: 0).cards
        let sine = try #require(cards.compactMap { $0.flip?.sineAndCosine.sine }.first { $0 != 0 })
        for perspective in 1...200 {
            var flip = FlipLayout()
            flip.perspective = Double(perspective)
            flip.cardHeight = flip.perspective / abs(sine)
            expectFinite(try session(flip), at: 0)
        }
    }

    private func begin(_ settings: DeckSettings) -> DeckSession {
        DeckSession.begin(deck: Deck(cards: .numbered(4), settings: settings), viewport: Self.viewport).0
    }

    /// Plays the events and looks every 7 ms. The spring arrives by a change of the settings, as a PATCH has it.
    private func check(_ layout: Layout, _ spring: SpringSettings) throws {
        var settings = DeckSettings()
        settings.layout = layout
        var session = begin(settings)
        settings.motion.backgroundSpring = spring
        settings.motion.resetSpring = spring
        settings.motion.snapSpring = spring
        _ = try session.apply(.configure(settings), at: 0)
        var events = Self.events[...]
        for time in Self.times {
            while let next = events.first, next.at <= time {
                _ = try session.apply(next.event, at: Instant(next.at))
                events.removeFirst()
            }
            expectFinite(session, at: Instant(time))
        }
    }

    private func expectFinite(_ session: DeckSession, at time: Instant) {
        let frame = session.frame(at: time)
        for card in frame.cards where !card.numbers.allSatisfy(\.isFinite) {
            Issue.record("At \(time.milliseconds) ms: \(card)")
        }
        var json = JSONWriter(capacity: 8192)
        var writer = FrameWriter(session: "s")
        // Springs as lines take long to find, so that this is not done for every frame.
        writer.extras.motion = Int(time.milliseconds) % 140 == 0
        writer.write(session, at: time, to: &json)
        // The writer has null for what is no number; these members may be null, and no others.
        let written = String(decoding: json.bytes, as: UTF8.self)
        let nulls = written.count(of: "null")
        let nullable = ["overlay", "drag", "pending", "settlesAt", "card", "z"]
        let rightly = nullable.map { written.count(of: "\"\($0)\":null") }
        if nulls != rightly.reduce(0, +) { Issue.record("At \(time.milliseconds) ms: \(written)") }
        let picture = FrameDrawing(session: "s").picture(of: session, at: time)
        let drawn = String(decoding: picture, as: UTF8.self)
        for word in ["null", "nan", "inf"] where drawn.count(of: word) > 0 {
            Issue.record("At \(time.milliseconds) ms: \(drawn)")
        }
    }
}

extension FrameCard {
    fileprivate var numbers: [Double] {
        [frame.x, frame.y, frame.width, frame.height, anchor.x, anchor.y, contentScale.x, contentScale.y, opacity]
            + [matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty, flip?.angle.value ?? 0]
    }
}

extension String {
    /// How often a string occurs in this one. The C library looks, because there are very many frames to look through.
    fileprivate func count(of text: String) -> Int {
        withCString { start in
            var (count, rest) = (0, start)
            while let found = strstr(rest, text) {
                count += 1
                rest = UnsafePointer(found) + 1
            }
            return count
        }
    }
}
