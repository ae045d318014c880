import Testing

@testable import DeckEngine

/// Where the cards of a stack are, for each of the nine origins.
struct StackOriginTests {
    private struct Case {
        var layout: StackLayout
        var viewport: Size
    }

    private var cases: [Case] {
        StackOrigin.allCases.flatMap { origin in
            [(1, 4.0, 0.95), (3, 4, 0.95), (3, 12, 0.8), (5, 7, 0.9)].flatMap { count, margin, scale in
                [Size(width: 300, height: 400), Size(width: 640, height: 210)].map { viewport in
                    var layout = StackLayout()
                    layout.visibleCount = count
                    layout.topMargin = margin
                    layout.scale = scale
                    layout.from = origin
                    return Case(layout: layout, viewport: viewport)
                }
            }
        }
    }

    /// −1 where the edges show at the side with the lower coordinate, 1 at the other, 0 at neither.
    private func side(_ origin: StackOrigin) -> (x: Double, y: Double) {
        switch origin {
        case .none: (0, 0)
        case .top: (0, -1)
        case .bottom: (0, 1)
        case .left: (-1, 0)
        case .right: (1, 0)
        case .topLeft: (-1, -1)
        case .topRight: (1, -1)
        case .bottomLeft: (-1, 1)
        case .bottomRight: (1, 1)
        }
    }

    private func check(
        _ start: Double,
        _ length: Double,
        place: Int,
        of whole: Double,
        _ side: Double,
        _ layout: StackLayout
    ) {
        let count = Double(layout.visibleCount - 1)
        let room = side == 0 ? 0 : count * layout.topMargin
        var expected = whole - room
        for _ in 0..<place { expected *= layout.scale }
        #expect(abs(length - expected) < 1e-9)
        let (low, high) = (start, start + length)
        let shown = Double(place) * layout.topMargin
        switch side {
        case 0: #expect(abs(low + high - whole) < 1e-9)
        // The front card touches the far side, and each card behind shows an edge beyond it.
        case 1: #expect(abs(high - (whole - room + shown)) < 1e-9)
        default: #expect(abs(low - (room - shown)) < 1e-9)
        }
        #expect(low > -1e-9 && high < whole + 1e-9)
    }

    @Test func everyEdgeShowsOnItsSide() {
        for example in cases {
            let layout = Layout.stack(example.layout)
            let side = side(example.layout.from)
            for place in 0..<example.layout.visibleCount {
                let rect = layout.slot(at: Double(place), in: example.viewport).rect
                check(rect.x, rect.width, place: place, of: example.viewport.width, side.x, example.layout)
                check(rect.y, rect.height, place: place, of: example.viewport.height, side.y, example.layout)
            }
        }
    }

    @Test func oppositeSidesAreMirrorImages() {
        let pairs: [(StackOrigin, StackOrigin)] = [
            (.top, .bottom), (.left, .right), (.topLeft, .bottomRight), (.topRight, .bottomLeft),
        ]
        let viewport = Size(width: 300, height: 400)
        for (one, other) in pairs {
            for place in 0..<3 {
                var (first, second) = (StackLayout(), StackLayout())
                (first.from, second.from) = (one, other)
                let rect = Layout.stack(first).slot(at: Double(place), in: viewport).rect
                let mirrored = Layout.stack(second).slot(at: Double(place), in: viewport).rect
                let turned = Rect(
                    x: 300 - rect.x - rect.width,
                    y: 400 - rect.y - rect.height,
                    width: rect.width,
                    height: rect.height
                )
                #expect(mirrored.difference(from: turned) < 1e-9, "\(one) \(other)")
            }
        }
    }

    @Test func betweenTwoPlacesACardIsOnTheStraightWay() {
        for example in cases {
            let layout = Layout.stack(example.layout)
            let near = layout.slot(at: 1, in: example.viewport).rect
            let far = layout.slot(at: 2, in: example.viewport).rect
            let between = layout.slot(at: 1.25, in: example.viewport).rect
            #expect(abs(between.x - (0.75 * near.x + 0.25 * far.x)) < 1e-9)
            #expect(abs(between.height - (0.75 * near.height + 0.25 * far.height)) < 1e-9)
        }
    }

    @Test(arguments: StackOrigin.allCases)
    func aSessionRestsInTheseSlots(origin: StackOrigin) throws {
        var session = DeckSession.make {
            var stack = StackLayout()
            stack.from = origin
            $0.layout = .stack(stack)
        }
        try session.swipe(.right, at: 0)
        let slots = session.slots.prefix(3).map(\.rect)
        #expect(session.settled.shown.placed.map(\.frame) == slots)
        #expect(session.slots.count == 3)
    }
}
