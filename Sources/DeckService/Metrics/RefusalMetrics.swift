import DeckEngine
import MicroHTTP

/// Counts of refused requests, by their problem, and of refused events, by the rule.
final class RefusalMetrics: Sendable {
    private let problems = Cells(ProblemKind.allCases.count)
    private let refusals = Cells(DeckEngine.Refusal.allCases.count)

    /// A request is over. The label of a problem document is the number of its kind, starting with 1.
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
            "Events that were refused by the rules of their deck, by the reason. Dry runs do not count."
        )
        for (place, refusal) in DeckEngine.Refusal.allCases.enumerated() {
            exposition.sample(refusals.sum(place), [("reason", refusal.rawValue)])
        }
    }
}

extension ProblemKind {
    /// The number of a problem's kind, by which an answer is labelled; 0: no problem.
    var label: Int { (Self.allCases.firstIndex(of: self) ?? -1) + 1 }

    /// The kind of the problem with this label; nil: the answer is not a problem.
    init?(label: Int) {
        guard Self.allCases.indices.contains(label - 1) else { return nil }
        self = Self.allCases[label - 1]
    }
}
