public import DeckEngine

/// Draws a session at a moment as SVG 1.1: the viewport, the cards with their labels and overlays, and the data that a bug
/// report needs.
///
/// The picture is one file: it has no script, no style sheet and no links to other files.
public struct FrameDrawing: Sendable {
    /// The session's id.
    public var session: String
    /// Whether the data that a bug report needs is below the picture.
    public var hasCaption = true
    /// The cards whose labels may be drawn. Other cards have their ids.
    public var readable = ReadableCards.all

    /// A drawing of one session.
    public init(session: String) {
        self.session = session
    }

    /// The SVG document, UTF-8.
    public func picture(of engine: DeckSession, at time: Instant) -> [UInt8] {
        let engine = engine.advanced(to: time)
        let frame = engine.frame(at: engine.now)
        let lines = hasCaption ? caption(of: frame) : []
        let page = Page(engine.viewport, captionLines: lines.count)
        var svg = SVGWriter()
        svg.element("svg", page.attributes(describing: caption(of: frame).prefix(2).joined(separator: ", "))) { svg in
            svg.element("rect", page.paper + [("fill", "#f6f4f0")])
            svg.element("rect", page.viewport)
            for card in frame.cards.sorted(by: { $0.z < $1.z }) where card.opacity > 0 {
                let label = readable.contains(card.id) ? engine.cards.content(of: card)?.label : nil
                CardDrawing(card, label: label ?? card.id.text, in: page).write(to: &svg)
            }
            for (line, text) in lines.enumerated() {
                svg.element("text", page.caption(line), text: text)
            }
        }
        return Array(svg.text.utf8)
    }

    private func caption(of frame: Frame) -> [String] {
        let place =
            frame.exhausted
            ? "run out, \(frame.cardCount) cards" : "card \(frame.currentIndex + 1) of \(frame.cardCount)"
        let end = frame.settlesAt?.roundedUpToNanoseconds
        let motion = end.map { "moves until \(JSONWriter.text(of: $0.milliseconds)) ms" } ?? "at rest"
        let drag = frame.drag.map { drag in
            let way = SVGWriter.numbers(drag.translation.x, drag.translation.y)
            return ["dragged by \(way)", drag.direction.map { "\($0.name) \(Self.percent(drag.progress))" }]
        }
        return [
            ([place] + (drag ?? []).compactMap(\.self)).joined(separator: " · "),
            "\(JSONWriter.text(of: frame.at.milliseconds)) ms · \(motion)",
            "version \(frame.version) · undo \(frame.canRevert) · redo \(frame.canRedo)",
            "session \(session)",
        ]
    }

    static func percent(_ part: Double) -> String {
        "\(Int(clamping: (100 * part).rounded())) %"
    }
}

/// The dimensions of the picture in points of the viewport.
struct Page {
    private let size: Size
    /// The scale of margins and text: 1 for the viewport of a phone.
    let unit: Double
    /// The margin around the viewport, in which leaving cards are visible.
    private let margin: Double

    private let captionLines: Int
    private static let phoneWidth = 375.0

    init(_ viewport: Size, captionLines: Int) {
        self.captionLines = captionLines
        size = viewport
        unit = min(viewport.width, viewport.height) / Self.phoneWidth
        margin = 90 * unit
    }

    private var lineHeight: Double { 18 * unit }

    private var box: Rect {
        Rect(
            x: -margin,
            y: -margin,
            width: size.width + 2 * margin,
            height: size.height + 2 * margin + (captionLines > 0 ? Double(captionLines) + 0.5 : 0) * lineHeight
        )
    }

    var paper: [(StaticString, String)] {
        attributes(of: box)
    }

    var viewport: [(StaticString, String)] {
        attributes(of: Rect(x: 0, y: 0, width: size.width, height: size.height)) + [
            ("fill", "#fff"), ("stroke", "#8a8378"), ("stroke-width", SVGWriter.numbers(unit)),
            ("stroke-dasharray", SVGWriter.numbers(6 * unit, 4 * unit)),
        ]
    }

    func attributes(describing text: String) -> [(StaticString, String)] {
        let box = box
        return [
            ("xmlns", "http://www.w3.org/2000/svg"),
            ("viewBox", SVGWriter.numbers(box.x, box.y, box.width, box.height)),
            ("width", SVGWriter.numbers(box.width)), ("height", SVGWriter.numbers(box.height)),
            ("role", "img"), ("aria-label", text), ("font-family", "system-ui, sans-serif"),
        ]
    }

    func caption(_ line: Int) -> [(StaticString, String)] {
        [
            ("x", "0"), ("y", SVGWriter.numbers(size.height + margin + Double(line + 1) * lineHeight)),
            ("font-size", SVGWriter.numbers(13 * unit)), ("fill", "#4a463f"),
        ]
    }

    /// A rectangle with the attributes of SVG.
    func attributes(of rect: Rect) -> [(StaticString, String)] {
        [
            ("x", SVGWriter.numbers(rect.x)), ("y", SVGWriter.numbers(rect.y)),
            ("width", SVGWriter.numbers(rect.width)), ("height", SVGWriter.numbers(rect.height)),
        ]
    }
}
