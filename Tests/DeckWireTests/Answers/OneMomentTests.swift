import DeckEngine
import DeckWire
import JSONTesting
import Testing

/// Whatever is written of a session at a time is of that one moment, also where commands take effect before it.
@Suite struct OneMomentTests {
    private func begin(_ layout: Layout = .stack(StackLayout()), loop: Bool = false) -> DeckSession {
        let cards = ["a", "b", "c", "d", "e"].map { name in
            var card = Card(id: CardID(name))
            (card.label, card.data) = ("Card \(name)", "\"\(name)\"")
            return card
        }
        var settings = DeckSettings()
        settings.layout = layout
        settings.loop = loop
        settings.rules.whileAnimating = .queue
        return DeckSession.begin(
            deck: Deck(cards: .listed(cards), settings: settings),
            viewport: Size(width: 375, height: 600)
        ).0
    }

    private func frame(_ session: DeckSession, at time: Instant) -> String {
        var writer = FrameWriter(session: "s")
        (writer.extras.data, writer.extras.motion, writer.extras.labels) = (true, true, true)
        return written { writer.write(session, at: time, to: &$0) }
    }

    private func picture(_ session: DeckSession, at time: Instant) -> String {
        String(decoding: FrameDrawing(session: "s").picture(of: session, at: time), as: UTF8.self)
    }

    private static let flip = Layout.flip(FlipLayout())
    private static let stack = Layout.stack(StackLayout())

    @Test(arguments: [(stack, false), (stack, true), (flip, false), (flip, true)])
    func aFrameThatIsToComeIsTheFrameThatComes(layout: Layout, loop: Bool) throws {
        var session = begin(layout, loop: loop)
        let events: [Event] = [
            .swipe(.left), .swipe(.right), .command(.sendToBack), .revert(.origin), .command(.move(to: 3)),
            .command(.putBack),
        ]
        for event in events { _ = try session.apply(event, at: 0) }
        for time in stride(from: 0.0, through: 6000, by: 37) {
            let time = Instant(time)
            var later = session
            _ = later.advance(to: time)
            #expect(frame(session, at: time) == frame(later, at: time))
            #expect(picture(session, at: time) == picture(later, at: time))
        }
    }

    @Test func everyCardHasItsOwnLabelAndDataAtEveryMoment() throws {
        var session = begin()
        for event: Event in [.swipe(.left), .swipe(.right), .command(.sendToBack)] {
            _ = try session.apply(event, at: 0)
        }
        var fronts: [String] = []
        for time in stride(from: 0.0, through: 3000, by: 20) {
            let frame = try JSON(parsing: frame(session, at: Instant(time)))
            for card in frame["cards"].elements {
                guard let id = card["id"].text else { throw Missing() }
                #expect(card["data"] == .string(id) && card["label"] == .string("Card \(id)"), "at \(time)")
            }
            let front = try #require(frame["cards"].elements.first { $0["role"] == .string("front") })
            #expect(frame["accessibility"]["label"] == front["label"], "at \(time)")
            #expect(frame["accessibility"]["position"] == front["position"], "at \(time)")
            if let id = front["id"].text, fronts.last != id { fronts.append(id) }
            #expect(picture(session, at: Instant(time)).contains(">Card \(fronts.last ?? "")</text>"))
        }
        #expect(fronts == ["b", "c", "d"])
    }

    /// The card that passes is the front one, and the announcement is of the one that comes to rest there.
    @Test func aCarouselThatGlidesNamesTheCardThatItShowsInFront() throws {
        var session = begin(Self.flip)
        _ = try session.apply(.command(.move(to: 4)), at: 0)
        var labels: [String] = []
        for time in stride(from: 0.0, through: 2000, by: 10) {
            let frame = try JSON(parsing: frame(session, at: Instant(time)))
            let front = try #require(frame["cards"].elements.first { $0["role"] == .string("front") })
            guard let label = frame["accessibility"]["label"].text else { throw Missing() }
            #expect(front["label"] == .string(label), "at \(time)")
            #expect(frame["accessibility"]["position"] == front["position"], "at \(time)")
            #expect(frame["accessibility"]["announcement"] == .string("Card e, 5 of 5"))
            if labels.last != label { labels.append(label) }
        }
        #expect(labels.prefix(5) == ["Card a", "Card b", "Card c", "Card d", "Card e"])
    }

    private struct Missing: Error {}
}
