import Foundation
import Testing

@testable import DeckEngine

/// Motion as a browser plays it: a separate implementation of CSS `cubic-bezier()` and `linear()`.
enum PlayedMotion {
    /// A step beside the frames of its session.
    private struct Comparison {
        let step: MotionStep
        /// The largest difference between the step and a frame, in units of the step's way.
        var worstError = 0.0
        /// The number of the frames that show the step's card.
        var frameCount = 0
    }

    /// Expects that each step of a session's motion matches the frames, and is seen in some of them.
    static func check(_ session: DeckSession) {
        for comparison in comparisons(of: session) {
            let name = "card \(comparison.step.card ?? -1) \(comparison.step.property)"
            #expect(comparison.worstError < CurvePoint.tolerance, "\(name): \(comparison.worstError)")
            #expect(comparison.frameCount > 10, "\(name) is never seen")
        }
    }

    /// Compares each step of a session's motion with the frames at 501 times, as far as they are not past.
    private static func comparisons(of session: DeckSession) -> [Comparison] {
        session.motion(at: session.now).map { step in
            var comparison = Comparison(step: step)
            // The points are computed on each access, which takes as long as many frames.
            let points = step.points
            for sample in 0...500 {
                let time = step.start.milliseconds + step.duration.value * Double(sample) / 500
                guard time >= session.now.milliseconds,
                    let shown = shown(step, in: session.frame(at: Instant(time)), session.viewport)
                else { continue }
                let part = min(max((time - step.start.milliseconds) / step.duration.value, 0), 1)
                let progress = points.isEmpty ? progress(step.curve, at: part) : progress(points, at: part)
                comparison.worstError = max(comparison.worstError, error(of: step, at: progress, from: shown))
                comparison.frameCount += 1
            }
            return comparison
        }
    }

    /// The difference between a step at some progress and a frame, in units of the step's way.
    private static func error(of step: MotionStep, at progress: Double, from shown: [Double]) -> Double {
        let (from, to) = (numbers(step.from), numbers(step.to))
        var (missed, way) = (0.0, 0.0)
        for number in from.indices {
            let played = from[number] + progress * (to[number] - from[number])
            missed += pow(played - shown[number], 2)
            way += pow(to[number] - from[number], 2)
        }
        return sqrt(missed) / sqrt(way)
    }

    private static func numbers(_ value: MotionStep.Value) -> [Double] {
        switch value {
        case .number(let number): [number]
        case .vector(let vector): [vector.x, vector.y]
        case .rect(let rect): [rect.x, rect.y, rect.width, rect.height]
        }
    }

    static func progress(_ curve: Curve, at part: Double) -> Double {
        curve.cubicBezier.map { progress($0, at: part) } ?? part
    }

    private static func progress(_ bezier: CubicBezier, at part: Double) -> Double {
        var (low, high) = (0.0, 1.0)
        for _ in 0..<60 {
            let u = (low + high) / 2
            let time = 3 * u * pow(1 - u, 2) * bezier.x1 + 3 * u * u * (1 - u) * bezier.x2 + u * u * u
            if time < part { low = u } else { high = u }
        }
        return 3 * low * pow(1 - low, 2) * bezier.y1 + 3 * low * low * (1 - low) * bezier.y2 + low * low * low
    }

    private static func progress(_ points: [CurvePoint], at part: Double) -> Double {
        guard let next = points.firstIndex(where: { $0.time >= part }), next > 0 else { return points[0].progress }
        let (left, right) = (points[next - 1], points[next])
        let along = (part - left.time) / (right.time - left.time)
        return (1 - along) * left.progress + along * right.progress
    }

    /// A frame's value of a step's property; nil if the card has left already.
    static func shown(_ step: MotionStep, in frame: Frame, _ viewport: Size) -> [Double]? {
        guard let index = step.card else { return shownOfDeck(step, in: frame, viewport) }
        guard let card = frame.cards.first(where: { $0.index == index }) else { return nil }
        switch step.property {
        case .translation: return [card.matrix.tx, card.matrix.ty]
        case .rotation: return [atan2(card.matrix.b, card.matrix.a)]
        case .scale: return [card.matrix.scale]
        case .frame: return [card.frame.x, card.frame.y, card.frame.width, card.frame.height]
        case .opacity: return [card.opacity]
        case .overlayAlpha: return [card.overlay?.alpha ?? 0]
        case .turn: return [turn(of: card)]
        case .scroll: return nil
        }
    }

    private static func turn(of card: FrameCard) -> Double {
        let part = (card.flip?.angle.value ?? 0) / .pi
        return card.face == .front ? part : 1 + part
    }

    private static func shownOfDeck(_ step: MotionStep, in frame: Frame, _ viewport: Size) -> [Double]? {
        switch step.property {
        case .scale: return frame.cards.first.map { [$0.matrix.scale] }
        case .opacity: return frame.cards.first.map { [$0.opacity] }
        case .scroll:
            // A card behind is 30 points higher for each slot, measured at its lower edge.
            guard let behind = frame.cards.first(where: { $0.opacity == 1 && $0.contentScale.x < 1 }) else {
                return nil
            }
            let places = (viewport.height / 2 + 100 - behind.frame.y - behind.frame.height) / 30
            return [30 * (Double(behind.index) - places)]
        case .translation, .rotation, .frame, .overlayAlpha, .turn: return nil
        }
    }
}
