import DeckEngine
import Testing

/// Single drags from rest, and the decisions at their release, against `koloda-drag.json`.
struct DragVectorTests {
    struct File: Decodable {
        var cases: [Case]
    }

    struct Case: Decodable {
        struct Expectation: Decodable {
            struct Background: Decodable {
                var frame: [Double]
                var alpha: Double
            }

            struct Overlay: Decodable {
                var direction: String?
                var progress: Double
            }

            var direction: String?
            var percentage: Double
            var matrix: [Double]
            var boundingBox: [Double]
            var background: [Background]
            var decision: String
            var overlay: Overlay?
        }

        var id: Int
        var deck: [Double]
        var card: [Double]
        var visible: Int
        var topMargin: Double
        var allowed: [String]
        var threshold: Double?
        var touch: [Double]
        var translation: [Double]
        var moveBackground: Bool
        var fadeNext: Bool
        var shouldSwipe: Bool
        var rotationMax: Double?
        var rotationAngle: Double?
        var scaleMin: Double?
        var expect: Expectation
    }

    @Test func draggedCardsLookAsInKolodaAndEndAsThere() throws {
        let cases = try Vectors.read("koloda-drag", as: File.self).cases
        #expect(cases.count == 700)
        // In all other cases the displacements are compared to 1e-4 points.
        #expect(cases.filter { displacementTolerance($0) > 1e-4 }.count == 29)
        for example in cases {
            var session = try begin(example)
            let changed = DragEvent(
                .changed,
                translation: Vector(example.translation),
                location: Vector(example.touch)
            )
            let outcome = try session.apply(.drag(changed), at: 0)
            try checkReading(outcome, example)
            try checkFrame(session.frame(at: 0), example)
            let release = try session.apply(.drag(DragEvent(.ended)), at: 16)
            #expect((release.ending == .swiped) == (example.expect.decision == "swipe"), "case \(example.id)")
            if release.ending == .swiped {
                #expect(try release.direction == Direction(named: #require(example.expect.direction)))
            }
        }
    }

    private func begin(_ example: Case) throws -> DeckSession {
        var stack = StackLayout()
        stack.visibleCount = example.visible
        stack.topMargin = example.topMargin
        var settings = DeckSettings(preset: .koloda)
        settings.layout = .stack(stack)
        settings.rules.allowedDirections = Directions(try example.allowed.map(Direction.init(named:)))
        settings.rules.deniedDirections = example.shouldSwipe ? [] : Directions(Direction.allCases)
        settings.rules.swipeThreshold = example.threshold ?? 1
        settings.motion.moveBackground = example.moveBackground
        settings.appearance.fadeNext = example.fadeNext
        if let rotationMax = example.rotationMax { settings.motion.rotationMax = rotationMax }
        if let rotationAngle = example.rotationAngle { settings.motion.rotationAngle = Radians(rotationAngle) }
        if let scaleMin = example.scaleMin { settings.motion.scaleMin = scaleMin }
        return DeckSession.begin(
            deck: Deck(cards: .numbered(10), settings: settings),
            viewport: Size(example.deck)
        ).session
    }

    private func checkReading(_ outcome: Outcome, _ example: Case) throws {
        let expected = example.expect
        #expect(try outcome.direction == expected.direction.map(Direction.init(named:)), "case \(example.id)")
        let percentage: Double? = outcome.notifications.lazy.compactMap {
            if case .dragged(_, let percentage, _) = $0.kind { percentage } else { nil }
        }.first
        #expect(abs((percentage ?? 0) / 100 - expected.percentage) < 1e-4, "case \(example.id)")
    }

    private func checkFrame(_ frame: Frame, _ example: Case) throws {
        let expected = example.expect
        let front = try #require(frame.cards.first)
        let matrix = front.matrix
        let numbers = [matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty]
        for (number, recorded) in zip(numbers.prefix(4), expected.matrix) {
            #expect(abs(number - recorded) < 1e-6, "case \(example.id)")
        }
        for (number, recorded) in zip(numbers.suffix(2), expected.matrix.suffix(2)) {
            #expect(abs(number - recorded) < displacementTolerance(example), "case \(example.id)")
        }
        let box = boundingBox(of: front)
        let recordedBox = Rect(expected.boundingBox)
        #expect(box.difference(from: recordedBox) < tolerance(expected.boundingBox.map(abs).max() ?? 0))
        #expect(frame.cards.count == expected.background.count + 1)
        for (card, recorded) in zip(frame.cards.dropFirst(), expected.background) {
            #expect(card.frame.difference(from: Rect(recorded.frame)) < 1e-4, "case \(example.id)")
            #expect(abs(card.opacity - recorded.alpha) < 1e-4, "case \(example.id)")
        }
        if let overlay = expected.overlay {
            #expect(try front.overlay?.direction == overlay.direction.map(Direction.init(named:)))
            #expect(abs((front.overlay?.progress ?? 0) - overlay.progress) < 1e-4, "case \(example.id)")
        }
    }

    /// Koloda stores transforms as 32-bit floats. Their steps are larger than 1e-4 points if the longest of the
    /// converted numbers is above 1,000 points.
    private func tolerance(_ longest: Double) -> Double {
        max(1e-4, longest * 1.2e-7)
    }

    private func displacementTolerance(_ example: Case) -> Double {
        tolerance(example.expect.matrix.suffix(2).map(abs).max() ?? 0)
    }

    /// The upright box around a card as it is drawn.
    private func boundingBox(of card: FrameCard) -> Rect {
        let (rect, matrix) = (card.frame, card.matrix)
        let origin = Vector(x: rect.x + card.anchor.x * rect.width, y: rect.y + card.anchor.y * rect.height)
        let corners = [(0.0, 0.0), (1, 0), (0, 1), (1, 1)].map { corner in
            let x = rect.x + corner.0 * rect.width - origin.x
            let y = rect.y + corner.1 * rect.height - origin.y
            return Vector(
                x: origin.x + matrix.a * x + matrix.c * y + matrix.tx,
                y: origin.y + matrix.b * x + matrix.d * y + matrix.ty
            )
        }
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
        return Rect(x: left, y: top, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - top)
    }
}
