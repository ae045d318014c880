import DeckEngine

// Motion as data, in the form of Web Animations.
extension JSONWriter {
    mutating func member(_ name: StaticString, _ steps: [MotionStep]) {
        array(name) { writer in
            for step in steps { writer.write(step) }
        }
    }

    private mutating func write(_ step: MotionStep) {
        object { writer in
            if let card = step.card { writer.member("card", card) } else { writer.nullMember("card") }
            if let z = step.z { writer.member("z", z) } else { writer.nullMember("z") }
            writer.member("property", step.property.name)
            writer.member("from", step.from)
            writer.member("to", step.to)
            writer.member("start", step.start)
            writer.member("duration", step.duration)
            writer.member("easing", step.easing)
        }
    }

    private mutating func member(_ name: StaticString, _ value: MotionStep.Value) {
        switch value {
        case .number(let number): member(name, number)
        case .vector(let vector): member(name, vector)
        case .rect(let rect): member(name, rect)
        }
    }

    /// A card's flat matrix after it has turned in space, as 16 numbers in the order of CSS `matrix3d()`.
    mutating func member(_ name: StaticString, _ matrix: Matrix, _ flip: Flip) {
        let (sine, cosine) = flip.sineAndCosine
        // The perspective has no effect on a flat card.
        let depth = flip.angle.value == 0 ? 0 : 1 / flip.perspective
        let columns: [SIMD4<Double>] =
            switch flip.axis {
            case .horizontal:
                [
                    SIMD4(1, 0, 0, 0),
                    SIMD4(0, cosine, sine, -sine * depth),
                    SIMD4(0, -sine, cosine, -cosine * depth),
                    SIMD4(0, 0, 0, 1),
                ]
            case .vertical:
                [
                    SIMD4(cosine, 0, -sine, sine * depth),
                    SIMD4(0, 1, 0, 0),
                    SIMD4(sine, 0, cosine, -cosine * depth),
                    SIMD4(0, 0, 0, 1),
                ]
            }
        array(name) { writer in
            for column in columns {
                writer.number(matrix.a * column.x + matrix.c * column.y + matrix.tx * column.w)
                writer.number(matrix.b * column.x + matrix.d * column.y + matrix.ty * column.w)
                writer.number(column.z)
                writer.number(column.w)
            }
        }
    }
}

extension MotionStep {
    /// The curve as a CSS easing function.
    fileprivate var easing: String {
        let points = points
        guard points.isEmpty else {
            let stops = points.map { "\(JSONWriter.text(of: $0.progress)) \(JSONWriter.text(of: 100 * $0.time))%" }
            return "linear(\(stops.joined(separator: ", ")))"
        }
        guard let bezier = curve.cubicBezier else { return "linear" }
        let numbers = [bezier.x1, bezier.y1, bezier.x2, bezier.y2].map(JSONWriter.text)
        return "cubic-bezier(\(numbers.joined(separator: ",")))"
    }
}
