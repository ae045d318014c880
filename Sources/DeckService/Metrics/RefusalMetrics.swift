import DeckEngine
import MicroHTTP

/// What is counted of what was refused: requests, by the problem that was the answer, and events, by the rule.
final class RefusalMetrics: Sendable {
    private let problems = Cells(ProblemKind.allCases.count)
    private let refusals = Cells(DeckEngine.Refusal.allCases.count)

    /// A request is over; the label of a problem document is the number of its kind, beginning with 1.
    func ended(_ report: RequestReport) {
        guard report.answerLabel > 0 else { return }
        problems.add(to: report.answerLabel - 1)
    }

    /// Events were applied, or refused by the rules.
    func add(_ outcomes: [Outcome]) {
        for case let refusal? in outcomes.lazy.map(\.refusal) {
            guard let place = DeckEngine.Refusal.allCases.firstIndex(of: refusal) else { continue }
            refusals.add(to: place)
        }
    }

    func write(to exposition: inout Exposition) {
        exposition.metric("deckd_problems_total", .counter, "Requests answered with a problem document, by its type.")
        for (place, kind) in ProblemKind.allCases.enumerated() {
            exposition.sample(problems.sum(place), [("problem", kind.rawValue)])
        }
        exposition.metric(
            "deckd_events_refused_total",
            .counter,
            "Events that were refused by the rules of their deck, by the reason; rehearsals aside."
        )
        for (place, refusal) in DeckEngine.Refusal.allCases.enumerated() {
            exposition.sample(refusals.sum(place), [("reason", refusal.rawValue)])
        }
    }
}

extension ProblemKind {
    /// The number that tells which problem an answer is; 0 stands for none.
    var label: Int { (Self.allCases.firstIndex(of: self) ?? -1) + 1 }

    /// The problem that an answer of this label is; nil: it is none.
    init?(label: Int) {
        guard Self.allCases.indices.contains(label - 1) else { return nil }
        self = Self.allCases[label - 1]
    }
}
