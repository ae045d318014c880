import DeckEngine
import Testing

/// The result of shortening a failing list of steps.
struct ShrinkerTests {
    @Test func aListShrinksToWhatMakesItFail() {
        let shrunk = Shrinker.shrunk(Array(0..<200)) { $0.contains(17) && $0.contains(90) && $0.contains(91) }
        #expect(shrunk == [17, 90, 91])
        #expect(Shrinker.shrunk([5]) { $0.contains(5) } == [5])
        #expect(Shrinker.shrunk([1, 2, 3]) { _ in true } == [])
    }

    @Test func aStepIsPrintedAsItIsWritten() {
        let step = ModelStep(16, .finger(.ended, to: .init(-90, 0), grabbed: nil, speed: .init(5000, 0)), on: .front)
        let finger = ".finger(.ended, to: .init(-90.0, 0.0), grabbed: nil, speed: .init(5000.0, 0.0))"
        #expect(step.source == ".init(16.0, \(finger), on: .front)")
        #expect(ModelStep(0, .revert(.from(.topLeft), 2)).source == ".init(0.0, .revert(.from(.topLeft), 2))")
        let change = ModelStep(0, .configure(.allowed([.left, .up])), thorough: true)
        #expect(change.source == ".init(0.0, .configure(.allowed([.left, .up])), thorough: true)")
    }
}
