import DeckEngine
import DeckWire
import Foundation
import FoundationXML
import JSONTesting
import Testing

/// A frame as a picture, read by another library than ours.
@Suite struct FrameDrawingTests {
    private static let viewport = Size(width: 300, height: 408)

    private func begin(_ labels: [String], _ settings: DeckSettings = DeckSettings()) -> DeckSession {
        let cards = labels.enumerated().map { index, label in
            var card = Card(id: "card-\(index)")
            card.label = label
            return card
        }
        return DeckSession.begin(deck: Deck(cards: .listed(cards), settings: settings), viewport: Self.viewport).0
    }

    private func picture(_ session: DeckSession, at time: Instant? = nil) throws -> XMLElement {
        try root(FrameDrawing(session: "the-session").picture(of: session, at: time ?? session.now))
    }

    private func root(_ picture: [UInt8]) throws -> XMLElement {
        let namespace = " xmlns=\"http://www.w3.org/2000/svg\""
        let text = String(decoding: picture, as: UTF8.self)
        #expect(text.hasPrefix("<svg\(namespace) "))
        // Paths of XPath have no default namespace.
        return try #require(try XMLDocument(xmlString: text.replacing(namespace, with: "")).rootElement())
    }

    private func nodes(_ path: String, _ root: XMLElement) throws -> [XMLElement] {
        try root.nodes(forXPath: path).compactMap { $0 as? XMLElement }
    }

    private func numbers(_ text: String?) -> [Double] {
        (text ?? "").split { !"-.0123456789".contains($0) }.compactMap { Double($0) }
    }

    /// The frame of a session as clients get it.
    private func cards(_ session: DeckSession) throws -> [JSON] {
        let frame = written { FrameWriter(session: "s").write(session, at: session.now, to: &$0) }
        return try JSON(parsing: frame)["cards"].elements
    }

    private func corners(_ card: JSON) -> (rect: [Double], anchor: (x: Double, y: Double)) {
        let rect = card["frame"].numbers("x", "y", "width", "height")
        let anchor = (
            rect[0] + card["anchor"]["x"].number * rect[2], rect[1] + card["anchor"]["y"].number * rect[3]
        )
        return (rect, anchor)
    }

    private func matrix(_ card: JSON, _ name: String) -> [Double] {
        card[name].numbers
    }

    @Test func aDraggedCardLiesWhereTheFrameHasIt() throws {
        var session = begin(["First", "Second", "Third", "Fourth"])
        let drag = DragEvent(.changed, translation: Vector(x: 130, y: 40), location: Vector(x: 75, y: 100))
        _ = try session.apply(.drag(drag), at: 10)
        let root = try picture(session)
        let drawn = try nodes("//g[title]/rect[1]", root)
        let cards = try cards(session)
        // The nearest is drawn last.
        #expect(drawn.count == cards.count)
        for (element, card) in zip(drawn.reversed(), cards) {
            let (rect, anchor) = corners(card)
            let css = matrix(card, "matrix")
            let svg = numbers(element.attribute(forName: "transform")?.stringValue)
            #expect(svg.count == 6 && css.count == 6)
            for (x, y) in [(rect[0], rect[1]), (rect[0] + rect[2], rect[1] + rect[3])] {
                let (dx, dy) = (x - anchor.x, y - anchor.y)
                let wanted = (
                    anchor.x + css[0] * dx + css[2] * dy + css[4], anchor.y + css[1] * dx + css[3] * dy + css[5]
                )
                #expect(abs(svg[0] * x + svg[2] * y + svg[4] - wanted.0) < 0.01)
                #expect(abs(svg[1] * x + svg[3] * y + svg[5] - wanted.1) < 0.01)
            }
            for (name, value) in zip(["x", "y", "width", "height"], rect) {
                #expect(abs((numbers(element.attribute(forName: name)?.stringValue).first ?? .nan) - value) <= 0.005)
            }
        }
        let badge = try nodes("//g[title]//g[@opacity]/text", root)
        #expect(badge.map(\.stringValue) == ["right"])
    }

    /// A browser makes of `matrix3d` what the picture has as the card's corners.
    @Test func aCardThatTipsOverHasTheCornersThatTheFramesMatrixGives() throws {
        var settings = DeckSettings()
        settings.layout = .flip(FlipLayout())
        var session = begin(["a", "b", "c"], settings)
        _ = try session.apply(.scroll(ScrollEvent(.changed, offset: 10)), at: 10)
        let drawn = try nodes("//polygon[1]", try picture(session)).map {
            numbers($0.attribute(forName: "points")?.stringValue)
        }
        let cards = try cards(session).sorted { $0["z"].number < $1["z"].number }
        #expect(drawn.count == cards.count)
        for (points, card) in zip(drawn, cards) where points.count == 8 {
            let (rect, anchor) = corners(card)
            let css = matrix(card, "matrix3d")
            let places = [(0.0, 0.0), (1, 0), (1, 1), (0, 1)]
            for (index, (u, v)) in places.enumerated() {
                let (x, y) = (rect[0] + u * rect[2] - anchor.x, rect[1] + v * rect[3] - anchor.y)
                let w = css[3] * x + css[7] * y + css[15]
                #expect(abs(points[2 * index] - anchor.x - (css[0] * x + css[4] * y + css[12]) / w) < 0.01)
                #expect(abs(points[2 * index + 1] - anchor.y - (css[1] * x + css[5] * y + css[13]) / w) < 0.01)
            }
        }
        #expect(drawn.contains { $0.count == 8 && abs($0[0] - $0[6]) > 1 }, "None is a trapezium.")
    }

    /// The picture has the corners of the frame's `matrix3d`, and a card's back has no label.
    @Test(arguments: [(100.0, JSON.string("front")), (300, .string("back"))])
    func aCardThatTurnsOverHasTheCornersThatTheFramesMatrixGives(time: Double, face: JSON) throws {
        var session = begin(["First", "Second"])
        _ = try session.apply(.flip, at: 0)
        let json = written { FrameWriter(session: "s").write(session, at: Instant(time), to: &$0) }
        let card = try #require(try JSON(parsing: json)["cards"].elements.first)
        #expect(card["face"] == face)
        let root = try picture(session, at: Instant(time))
        let points = numbers(
            try #require(try nodes("//polygon[1]", root).first).attribute(forName: "points")?.stringValue
        )
        let (rect, anchor) = corners(card)
        let css = matrix(card, "matrix3d")
        #expect(points.count == 8 && css.count == 16)
        for (index, (u, v)) in [(0.0, 0.0), (1, 0), (1, 1), (0, 1)].enumerated() {
            let (x, y) = (rect[0] + u * rect[2] - anchor.x, rect[1] + v * rect[3] - anchor.y)
            let w = css[3] * x + css[7] * y + css[15]
            #expect(abs(points[2 * index] - anchor.x - (css[0] * x + css[4] * y + css[12]) / w) < 0.01)
            #expect(abs(points[2 * index + 1] - anchor.y - (css[1] * x + css[5] * y + css[13]) / w) < 0.01)
        }
        // The two sides of the card are not equally high, because one is nearer.
        #expect(abs((points[7] - points[1]) - (points[5] - points[3])) > 1)
        let labels = try nodes("//g[title]//text", root).compactMap(\.stringValue)
        #expect(labels.contains("First") == (face == .string("front")))
        // The back is darker.
        let colors = try nodes("//g[title]/polygon", root).compactMap { $0.attribute(forName: "fill")?.stringValue }
        #expect(colors.contains("#000") == (face == .string("back")))
    }

    @Test(arguments: ["<script>alert(1)</script>", "\"'&amp;", "\u{0}\u{B}\u{FFFF}\t", "قريب", "👩‍👩‍👧‍👦", ""])
    func anyLabelIsShownAndNothingElse(label: String) throws {
        let root = try picture(begin([label, "Second"]))
        let shown = String(
            String.UnicodeScalarView(
                label.unicodeScalars.map { ["\u{0}", "\u{B}", "\u{FFFF}"].contains($0) ? "\u{FFFD}" : $0 }
            )
        )
        let texts = try nodes("//g[title]//text", root).compactMap(\.stringValue)
        #expect(texts.contains { $0.hasPrefix(shown.prefix(9)) }, "\(texts)")
        #expect(try nodes("//script", root).isEmpty)
    }

    @Test func aLabelThatDoesNotFitIsCut() throws {
        let root = try picture(begin([String(repeating: "long ", count: 2000), "Second"]))
        let texts = try nodes("//g[title]//text", root).compactMap(\.stringValue)
        #expect(texts.contains { $0.hasPrefix("long long") && $0.hasSuffix("…") && $0.count < 40 }, "\(texts)")
    }

    /// Asian letters and pictures are as wide as they are high, and some capitals nearly are.
    @Test(arguments: [("漢", 1.0), ("🎴", 1.0), ("W", 0.9), ("l", 0.3)])
    func aLabelOfWideLettersStaysOnItsCard(letter: String, ems: Double) throws {
        let root = try picture(begin([String(repeating: letter, count: 200), "Second"]))
        let label = try #require(try nodes("//g[title]//text", root).first { $0.stringValue?.hasSuffix("…") == true })
        let size = numbers(label.attribute(forName: "font-size")?.stringValue)[0]
        let x = numbers(label.attribute(forName: "x")?.stringValue)[0]
        let width = Double(label.stringValue?.count ?? 0) * ems * size
        #expect(width > size && 2 * x + width <= Self.viewport.width + 0.001, "\(label)")
    }

    /// A card that is wider than the distance from which it is seen passes the eye when it turns over.
    @Test func aCardThatPassesTheEyeIsCutThere() throws {
        let card = Card(id: "wide")
        var session = DeckSession.begin(deck: Deck(cards: .listed([card])), viewport: Size(width: 2600, height: 1500)).0
        _ = try session.apply(.flip, at: 0)
        let json = written { FrameWriter(session: "s").write(session, at: 150, to: &$0) }
        let shown = try #require(try JSON(parsing: json)["cards"].elements.first)
        let (rect, anchor) = corners(shown)
        let css = matrix(shown, "matrix3d")
        func depth(_ u: Double) -> Double { css[3] * (rect[0] + u * rect[2] - anchor.x) + css[15] }
        func place(_ u: Double, _ v: Double) -> [Double] {
            let (x, y) = (rect[0] + u * rect[2] - anchor.x, rect[1] + v * rect[3] - anchor.y)
            let w = depth(u)
            return [anchor.x + (css[0] * x + css[12]) / w, anchor.y + (css[5] * y + css[13]) / w]
        }
        // One side is behind the eye. A point shortly before the eye is on the edge that is drawn.
        let far = depth(0) > depth(1) ? 0.0 : 1
        #expect(depth(far) > 0 && depth(1 - far) < 0)
        let near = far + (1 - 2 * far) * (depth(far) - 0.1) / (depth(far) - depth(1 - far))
        let drawn = numbers(
            try nodes("//polygon[1]", try picture(session, at: 150)).first?.attribute(forName: "points")?.stringValue
        )
        let points = stride(from: 0, to: drawn.count - 1, by: 2).map { [drawn[$0], drawn[$0 + 1]] }
        #expect(points.count == 4)
        for v in [0.0, 1] {
            let (corner, edge) = (place(far, v), place(near, v))
            let others = points.filter { abs($0[0] - corner[0]) > 1 && ($0[1] - corner[1]) * (edge[1] - corner[1]) > 0 }
            // The matrix has six decimals. An error of half a unit in its fourth one is 0.00065 of the depth at this corner, and
            // nearly one point at its place.
            #expect(points.contains { abs($0[0] - corner[0]) < 1 && abs($0[1] - corner[1]) < 1 }, "\(points) \(corner)")
            let end = try #require(others.max { abs($0[0]) < abs($1[0]) })
            let slopes = [edge, end].map { ($0[1] - corner[1]) / ($0[0] - corner[0]) }
            #expect(
                abs(slopes[0] / slopes[1] - 1) < 0.001 && (end[0] - corner[0]) * (edge[0] - corner[0]) > 0,
                "\(slopes)"
            )
        }
    }

    @Test func theCaptionSaysWhatAReportNeeds() throws {
        var session = begin(["First", "Second", "Third"])
        _ = try session.apply(.command(.swipe(.left, force: false)), at: 20)
        func caption(_ time: Instant) throws -> [String] {
            try nodes("/svg/text", picture(session, at: time)).compactMap(\.stringValue)
        }
        let end = try #require(session.frame(at: 20).settlesAt?.milliseconds)
        #expect(
            try caption(30) == [
                "card 2 of 3", "30 ms · moves until \(Int(end)) ms", "version 1 · undo 1 · redo 0",
                "session the-session",
            ]
        )
        #expect(try caption(9000)[1] == "9000 ms · at rest")
        _ = try session.apply(.command(.swipe(.left, force: false)), at: 2000)
        _ = try session.apply(.command(.swipe(.left, force: false)), at: 4000)
        #expect(try caption(9000)[0] == "run out, 3 cards")
    }

    @Test func withoutACaptionThePictureIsThatOfEverySessionThatLooksTheSame() throws {
        var (one, other) = (FrameDrawing(session: "one"), FrameDrawing(session: "other"))
        (one.hasCaption, other.hasCaption) = (false, false)
        let session = begin(["First", "Second"])
        let picture = one.picture(of: session, at: 0)
        #expect(picture == other.picture(of: session, at: 0))
        let box = numbers(try root(picture).attribute(forName: "viewBox")?.stringValue)
        #expect(box == [-72, -72, 444, 552])
    }

    @Test func everyDirectionHasItsSignOnACard() throws {
        for direction in Direction.allCases {
            var settings = DeckSettings()
            settings.rules.allowedDirections = Directions(Direction.allCases)
            var session = begin(["First", "Second"], settings)
            _ = try session.apply(.command(.swipe(direction, force: false)), at: 0)
            let root = try picture(session, at: 1)
            #expect(try nodes("//g[title]//g[@opacity]/text", root).map(\.stringValue) == ["\(direction.name)"])
        }
    }

    /// Cards that appear have no opacity at first. Their labels are not read to anyone then.
    @Test func aCardThatCannotBeSeenIsNotDrawn() throws {
        let deck = Deck(cards: .numbered(5), settings: DeckSettings())
        let session = DeckSession.begin(deck: deck, viewport: Self.viewport, appears: true).0
        var counts: [Int] = []
        for time in [0, 9000] as [Instant] {
            let drawn = try nodes("//g[title]", try picture(session, at: time))
            let frame = session.advanced(to: time).frame(at: time)
            #expect(drawn.count == frame.cards.count { $0.opacity > 0 })
            counts.append(drawn.count)
        }
        #expect(counts == [0, 3])
    }
}
