@testable import DeckEngine

extension Frame {
    /// Whether all of its numbers are finite.
    var isFinite: Bool {
        let drag = [drag?.translation.x, drag?.translation.y, drag?.progress, drag?.thresholdProgress]
        let numbers = [at.milliseconds, settlesAt?.milliseconds] + drag
        return cards.allSatisfy { $0.isFinite && ($0.flip?.angle.value ?? 0).isFinite }
            && numbers.allSatisfy { $0?.isFinite ?? true }
    }
}

extension MotionStep {
    /// Whether all of its numbers are finite.
    var isFinite: Bool {
        let numbers = [start.milliseconds, duration.value] + points.flatMap { [$0.time, $0.progress] }
        return numbers.allSatisfy(\.isFinite) && from.isFinite && to.isFinite
    }
}

extension MotionStep.Value {
    fileprivate var isFinite: Bool {
        switch self {
        case .number(let number): number.isFinite
        case .vector(let vector): vector.x.isFinite && vector.y.isFinite
        case .rect(let rect): [rect.x, rect.y, rect.width, rect.height].allSatisfy(\.isFinite)
        }
    }
}
