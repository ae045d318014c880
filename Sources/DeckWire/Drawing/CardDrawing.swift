import DeckEngine

/// Draws one card of a frame.
struct CardDrawing {
    private let card: FrameCard
    private let label: String
    private let page: Page
    private let projection: Projection

    /// A card always has the same colour. White letters on each colour have a contrast of 4.5 at least (WCAG AA).
    private static let colors = [
        "#3d5a80", "#2f6f6f", "#b5472f", "#7a4e8a", "#4d6b2f", "#9a5a1e", "#a03a5e", "#545b6b",
    ]

    /// How much darker a card's back is than its front.
    private static let backShade = 0.45

    init(_ card: FrameCard, label: String, in page: Page) {
        self.card = card
        self.label = label
        self.page = page
        projection = Projection(card)
    }

    func write(to svg: inout SVGWriter) {
        svg.element("g", [("opacity", SVGWriter.numbers(card.opacity))]) { svg in
            svg.element("title", text: description)
            shape(fill: Self.colors[card.index % Self.colors.count], opacity: 1, to: &svg)
            if card.face == .back { shape(fill: "#000", opacity: Self.backShade, to: &svg) }
            if let overlay = card.overlay {
                shape(fill: overlay.direction.tint, opacity: 0.75 * overlay.alpha, to: &svg)
            }
            svg.element("g", [("transform", transform), ("fill", "#fff")]) { svg in
                if card.face == .front { writeLabel(to: &svg) }
                if let overlay = card.overlay { writeBadge(overlay, to: &svg) }
            }
        }
    }

    /// The tooltip of the card.
    private var description: String {
        let overlay = card.overlay.map { "\($0.direction.name) \(FrameDrawing.percent($0.progress))" }
        return (["card \(card.index + 1)", card.id.text, "\(card.role.name)"] + [overlay].compactMap(\.self))
            .joined(separator: ", ")
    }

    /// The scale of lines and letters, which get smaller with the card.
    private var unit: Double {
        page.unit * min(card.contentScale.x, card.contentScale.y)
    }

    private var transform: String {
        let center = (card.frame.x + card.frame.width / 2, card.frame.y + card.frame.height / 2)
        let map = projection.tangent(at: center.0, center.1)
        return "matrix(\(([map.a, map.b, map.c, map.d, map.tx, map.ty]).map(JSONWriter.text).joined(separator: " ")))"
    }

    /// The card's outline. A flat card is a rotated rectangle. A card that turns in space is a general quadrilateral.
    private func shape(fill: String, opacity: Double, to svg: inout SVGWriter) {
        let paint: [(StaticString, String)] = [
            ("fill", fill), ("fill-opacity", SVGWriter.numbers(opacity)), ("stroke", "#fff"),
            ("stroke-width", SVGWriter.numbers(2 * unit)), ("stroke-linejoin", "round"),
        ]
        guard card.flip != nil else {
            let place: [(StaticString, String)] = [("rx", SVGWriter.numbers(14 * unit)), ("transform", transform)]
            return svg.element("rect", page.attributes(of: card.frame) + place + paint)
        }
        let points = projection.outline(of: card.frame).map { SVGWriter.numbers($0.x, $0.y) }.joined(separator: " ")
        svg.element("polygon", [("points", points)] + paint)
    }

    private func writeLabel(to svg: inout SVGWriter) {
        let (size, inset) = (26 * unit, 18 * unit)
        // If a spring squeezes a card to nothing for a moment, its letters have no size.
        let text = label.shortened(toEms: (card.frame.width - 2 * inset) / size)
        svg.element(
            "text",
            [
                ("x", SVGWriter.numbers(card.frame.x + inset)),
                ("y", SVGWriter.numbers(card.frame.y + card.frame.height - inset)),
                ("font-size", SVGWriter.numbers(size)), ("font-weight", "600"),
            ],
            text: text
        )
        svg.element(
            "text",
            [
                ("x", SVGWriter.numbers(card.frame.x + card.frame.width - inset)),
                ("y", SVGWriter.numbers(card.frame.y + inset + 12 * unit)), ("font-size", SVGWriter.numbers(14 * unit)),
                ("text-anchor", "end"),
            ],
            text: "\(card.index + 1)"
        )
    }

    /// The overlay's direction, at the place of a stamp.
    private func writeBadge(_ overlay: FrameOverlay, to svg: inout SVGWriter) {
        let name = "\(overlay.direction.name)"
        let size = 22 * unit
        let box = Rect(
            x: card.frame.x + 18 * unit,
            y: card.frame.y + 18 * unit,
            width: size * (0.62 * Double(name.count) + 1),
            height: 1.7 * size
        )
        svg.element("g", [("opacity", SVGWriter.numbers(overlay.alpha))]) { svg in
            svg.element(
                "rect",
                page.attributes(of: box) + [
                    ("rx", SVGWriter.numbers(6 * unit)), ("fill", "none"), ("stroke", "#fff"),
                    ("stroke-width", SVGWriter.numbers(3 * unit)),
                ]
            )
            svg.element(
                "text",
                [
                    ("x", SVGWriter.numbers(box.x + box.width / 2)), ("y", SVGWriter.numbers(box.y + 1.2 * size)),
                    ("font-size", SVGWriter.numbers(size)), ("font-weight", "700"), ("text-anchor", "middle"),
                ],
                text: name
            )
        }
    }
}

extension String {
    /// As many of its letters as there is room for, and an ellipsis if they are not all. The first letter is always there.
    ///
    /// - Parameter room: in units of the font's size; not a number: there is no limit.
    fileprivate func shortened(toEms room: Double) -> String {
        var width = 0.0
        var end = startIndex
        for index in indices {
            width += self[index].widthInEms
            if width > room { return self[...end] + "…" }
            // The ellipsis takes a letter's room.
            if width + Character("…").widthInEms <= room { end = index }
        }
        return self
    }
}

extension Character {
    /// About how wide the letter is. The font is not known.
    fileprivate var widthInEms: Double {
        switch unicodeScalars.first?.value ?? 0 {
        // Asian letters, symbols and pictures.
        case 0x1100...: 1
        case _ where "MWmw@%—…".contains(self): 0.95
        default: isUppercase ? 0.75 : 0.55
        }
    }
}

extension Direction {
    /// The colour of a verdict.
    fileprivate var tint: String {
        switch self {
        case .right, .topRight, .bottomRight: "#1f7a4d"
        case .left, .topLeft, .bottomLeft: "#b3261e"
        case .up: "#1f5fa8"
        case .down: "#8a6100"
        }
    }
}
