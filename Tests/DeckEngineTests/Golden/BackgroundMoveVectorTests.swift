import DeckEngine
import Testing

/// The cards behind while the front card is dragged, against `koloda-background-move.json`.
struct BackgroundMoveVectorTests {
    struct File: Decodable {
        var cases: [Case]
    }

    struct Case: Decodable {
        struct Card: Decodable {
            var frame: [Double]
            var alpha: Double
        }

        var size: [Double]
        var visible: Int
        var topMargin: Double
        var scalePercent: Double
        var direction: String
        var transparentize: Bool
        /// 0…100.
        var percentage: Double
        var cards: [Card]
    }

    @Test func cardsBehindFollowTheDrag() throws {
        let cases = try Vectors.read("koloda-background-move", as: File.self).cases
        #expect(cases.count == 144)
        for example in cases {
            let session = try dragged(example)
            let frame = session.frame(at: session.now)
            #expect(frame.cards.count == example.cards.count)
            for (card, expected) in zip(frame.cards, example.cards) {
                #expect(card.frame.difference(from: Rect(expected.frame)) < 1e-4, "\(example)")
                #expect(abs(card.opacity - expected.alpha) < 1e-4, "\(example)")
            }
        }
    }

    /// A deck whose front card is dragged to the right by the example's percentage. With `finger` tracking and without
    /// turn or scale, that requires the same part of half the card's width.
    private func dragged(_ example: Case) throws -> DeckSession {
        var stack = StackLayout()
        stack.visibleCount = example.visible
        stack.topMargin = example.topMargin
        stack.scale = example.scalePercent
        stack.from = example.direction == "top" ? .top : .bottom
        var settings = DeckSettings()
        settings.layout = .stack(stack)
        settings.appearance.fadeNext = example.transparentize
        var (session, _) = DeckSession.begin(
            deck: Deck(cards: .numbered(10), settings: settings),
            viewport: Size(example.size)
        )
        let way = example.size[0] / 2 * example.percentage / 100
        let drag = DragEvent(.changed, translation: Vector(x: way, y: 0))
        #expect(try session.apply(.drag(drag), at: 0).isApplied)
        return session
    }
}
