import Foundation
import ScalingModel
import Testing

/// The table of `docs/scaling.md`.
@Suite struct CapacityPlanTests {
    @Test(arguments: [10_000, 100_000, 1_000_000, 10_000_000]) func theTableIsWhatTheSimulationSays(people: Int) throws
    {
        let plan = CapacityPlan(people: people)
        let page = try String(contentsOf: Command.repository.appending(path: "docs/scaling.md"), encoding: .utf8)
        print(plan.row)
        #expect(page.contains(plan.row))
        #expect(plan.result.refusals == 0)
        #expect(plan.result.latency(0.99) < 0.05)
        #expect(plan.result.nodeUtilization < 0.6)
    }
}
