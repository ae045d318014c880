import DeckEngine
import Foundation

/// Where cards rest, from the formulas of `docs/engine.md`.
struct ReferenceLayout {
    var layout: Layout
    var width: Double
    var height: Double

    /// How many cards are shown at rest.
    var places: Int {
        switch layout {
        case .stack(let stack): stack.visibleCount
        case .stretched(let stretched): stretched.visibleCount
        case .flip(let flip): Int((1 / flip.scaleStep).rounded(.up))
        }
    }

    var flip: FlipLayout? {
        if case .flip(let flip) = layout { flip } else { nil }
    }

    /// The rectangle of a card at rest.
    func rect(_ place: Int) -> Rect {
        switch layout {
        case .stack(let stack): rect(place, in: stack)
        case .stretched(let stretched):
            switch place {
            case 0: frontRect(stretched)
            case 1:
                Rect(
                    x: -width * stretched.backgroundMargin,
                    y: 0,
                    width: width * stretched.backgroundScale,
                    height: width * stretched.backgroundScale * stretched.heightRatio
                )
            default: Rect(x: 0, y: 0, width: 0, height: 0)
            }
        case .flip(let flip): rect(Double(place), in: flip)
        }
    }

    private func frontRect(_ layout: StretchedLayout) -> Rect {
        let side = width - 2 * layout.horizontalOffset
        return Rect(x: layout.horizontalOffset, y: layout.topOffset, width: side, height: side * layout.heightRatio)
    }

    private func rect(_ place: Int, in stack: StackLayout) -> Rect {
        let name = "\(stack.from)".lowercased()
        func shows(_ side: String) -> Bool { name.contains(side) }
        let (x, width) = span(place, stack, width, edgesFirst: shows("left"), edgesLast: shows("right"))
        let (y, height) = span(place, stack, height, edgesFirst: shows("top"), edgesLast: shows("bottom"))
        return Rect(x: x, y: y, width: width, height: height)
    }

    /// Along one axis: hᵢ = h₀·sⁱ; yᵢ = h₀ − hᵢ + i·t where the edges are last, (n − 1 − i)·t where they are first.
    private func span(
        _ place: Int,
        _ stack: StackLayout,
        _ side: Double,
        edgesFirst: Bool,
        edgesLast: Bool
    ) -> (start: Double, length: Double) {
        let (count, margin) = (Double(stack.visibleCount), stack.topMargin)
        let whole = edgesFirst || edgesLast ? side - margin * (count - 1) : side
        let length = whole * pow(stack.scale, Double(place))
        if edgesLast { return (whole - length + Double(place) * margin, length) }
        if edgesFirst { return (max(count - 1 - Double(place), 0) * margin, length) }
        return ((side - length) / 2, length)
    }

    /// With the ratio r = 1 − step·place a card has size r and its bottom centre spacing·place above the front card's.
    func rect(_ place: Double, in flip: FlipLayout) -> Rect {
        let ratio = min(max(1 - flip.scaleStep * place, 0), 1)
        let bottom = height / 2 + flip.cardHeight / 2 - flip.spacing * max(place, 0)
        let (wide, high) = (flip.cardWidth * ratio, flip.cardHeight * ratio)
        return Rect(x: width / 2 - wide / 2, y: bottom - high, width: wide, height: high)
    }
}

extension Direction {
    /// The direction's point on the border of the square.
    var way: (x: Double, y: Double) {
        switch self {
        case .left: (-1, 0)
        case .right: (1, 0)
        case .up: (0, -1)
        case .down: (0, 1)
        case .topLeft: (-1, -1)
        case .topRight: (1, -1)
        case .bottomLeft: (-1, 1)
        case .bottomRight: (1, 1)
        }
    }
}
