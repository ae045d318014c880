import Testing

@testable import DeckEngine

/// Sessions against `koloda-scenarios.json`: the state after every step, the callbacks in their order, and all
/// positions at rest.
struct ScenarioVectorTests {
    static let scenarios = (try? Vectors.read("koloda-scenarios", as: Scenario.File.self).scenarios) ?? []

    @Test func allScenariosAreThere() {
        #expect(Self.scenarios.count == 56)
        for id in ScenarioDeviation.byScenario.keys { #expect(Self.scenarios.contains { $0.id == id }) }
    }

    @Test(arguments: scenarios)
    func sessionsRunAsInKoloda(_ scenario: Scenario) throws {
        var player = try ScenarioPlayer(scenario)
        for (number, step) in scenario.steps.enumerated() {
            try player.perform(step)
            let replacement = ScenarioDeviation.byScenario[scenario.id]?.replacements[number]
            check(player, step, replacement, "step \(number), \(step.op)")
        }
    }

    private func check(
        _ player: ScenarioPlayer,
        _ step: Scenario.Step,
        _ replacement: ScenarioDeviation.Replacement?,
        _ place: Comment
    ) {
        let (session, expected) = (player.session, step.expect)
        #expect(session.currentIndex == expected.currentIndex, place)
        #expect(session.deck.cards.count == expected.cardCount, place)
        #expect(session.isExhausted == expected.exhausted, place)
        #expect(session.isBusy == replacement?.isAnimating ?? expected.isAnimating, place)
        #expect(session.visibleIndices == expected.items, place)
        // The deck's settings give the answers of the delegate.
        let recorded = expected.callbacks.map { $0.map(\.text).joined(separator: " ") }
            .filter { !$0.hasPrefix("should") }
        #expect(player.callbacks == replacement?.callbacks ?? recorded, place)
        guard let rest = expected.rest, replacement?.isMoving != true else { return }
        let cards = session.frame(at: session.now).cards.filter { $0.role == .front || $0.role == .background }
        #expect(cards.map(\.index) == rest.map(\.item), place)
        for (card, recorded) in zip(cards, rest) {
            #expect(card.frame.difference(from: Rect(recorded.frame)) < 1e-3, place)
            #expect(card.matrix == .identity, place)
            #expect(abs(card.opacity - recorded.alpha) < 1e-4, place)
        }
    }
}
