import DeckEngine
import Testing

/// The flip carousel at scroll offsets, and where it comes to rest, against `flip.json`.
struct FlipVectorTests {
    struct File: Decodable {
        var layout: [Case]
        var snap: [Snap]
    }

    struct Case: Decodable {
        struct Attributes: Decodable {
            var index: Int
            var ratio: Double
            var anchorX: Double
            var anchorY: Double
            var scale: Double
            var alpha: Double
            var flipDegrees: Double
        }

        var viewport: [Double]
        var cards: Int
        var cardSize: [Double]
        var spacing: Double
        var contentOffsetY: Double
        var restOffsetY: Double
        var attributes: [Attributes]
    }

    struct Snap: Decodable {
        var proposed: Double
        var target: Double
    }

    private func flip(_ example: Case) -> FlipLayout {
        var flip = FlipLayout()
        flip.cardWidth = example.cardSize[0]
        flip.cardHeight = example.cardSize[1]
        flip.spacing = example.spacing
        return flip
    }

    @Test func cardsLieWhereTheSamplePutsThem() throws {
        let cases = try Vectors.read("flip", as: File.self).layout
        #expect(cases.count == 60)
        for example in cases {
            let place = (example.restOffsetY - example.contentOffsetY) / example.spacing
            for expected in example.attributes {
                let slot = Layout.flip(flip(example))
                    .slot(at: Double(expected.index) - place, in: Size(example.viewport))
                #expect(abs(slot.rect.x + slot.rect.width / 2 - expected.anchorX) < 1e-4, "\(example.contentOffsetY)")
                #expect(abs(slot.rect.y + slot.rect.height - expected.anchorY) < 1e-4, "\(example.contentOffsetY)")
                #expect(abs(slot.rect.width - expected.scale * example.cardSize[0]) < 1e-4)
                #expect(abs(slot.rect.height - expected.scale * example.cardSize[1]) < 1e-4)
                #expect(abs(slot.opacity - expected.alpha) < 1e-4)
                #expect(abs(slot.flip.value * 180 / .pi - expected.flipDegrees) < 1e-4)
            }
        }
    }

    @Test func aScrolledSessionShowsTheSamplesCards() throws {
        var stopped = 0
        for example in try Vectors.read("flip", as: File.self).layout {
            var settings = DeckSettings(preset: .flipCarousel)
            settings.loop = false
            settings.layout = .flip(flip(example))
            let deck = Deck(cards: .numbered(example.cards), settings: settings)
            var (session, _) = DeckSession.begin(deck: deck, viewport: Size(example.viewport))
            let offset = example.restOffsetY - example.contentOffsetY
            let scrolled = try session.apply(.scroll(ScrollEvent(.changed, offset: offset)), at: 0)
            #expect(scrolled.isApplied)
            // Beyond its ends the sample stretches like a rubber band; deckd stops there (docs/engine.md).
            let last = example.spacing * Double(example.cards - 1)
            guard (0...last).contains(offset) else {
                stopped += 1
                var (atTheEnd, _) = DeckSession.begin(deck: deck, viewport: Size(example.viewport))
                _ = try atTheEnd.apply(.scroll(ScrollEvent(.changed, offset: offset < 0 ? 0 : last)), at: 0)
                #expect(session.frame(at: 0).cards == atTheEnd.frame(at: 0).cards)
                continue
            }
            let shown = session.frame(at: 0).cards.sorted { $0.z > $1.z }
            let expected = example.attributes.filter { $0.alpha > 0 && $0.scale > 0 }
            #expect(shown.map(\.index) == expected.map(\.index), "\(example.contentOffsetY)")
            for (card, attributes) in zip(shown, expected) {
                #expect(abs(card.frame.y + card.frame.height - attributes.anchorY) < 1e-4)
                #expect(abs(card.opacity - attributes.alpha) < 1e-4)
            }
        }
        #expect(stopped == 31)
    }

    @Test func scrollingComesToRestOnWholeCards() throws {
        for example in try Vectors.read("flip", as: File.self).snap {
            // Before its first card the sample does not snap, because it jumps back unseen. In deckd there is no such place:
            // it comes to rest on the nearest card of the loop (docs/engine.md).
            let nearest = Int((example.proposed / 30).rounded())
            let target = example.proposed < 0 ? (nearest + 200) % 200 : Int(example.target / 30)
            let deck = Deck(cards: .numbered(200), settings: DeckSettings(preset: .flipCarousel))
            var (session, _) = DeckSession.begin(deck: deck, viewport: Size(width: 375, height: 667))
            let outcome = try session.apply(.scroll(ScrollEvent(.ended, offset: example.proposed)), at: 0)
            #expect(outcome.ending == .scrolled)
            #expect(outcome.index == target, "\(example)")
            let settled = session.frame(at: 10_000)
            #expect(settled.currentIndex == target)
            #expect(!settled.animating)
            let front = try #require(settled.cards.first { $0.role == .front })
            #expect(front.frame.difference(from: Rect([37.5, 233.5, 300, 200])) < 1e-9)
        }
    }
}
