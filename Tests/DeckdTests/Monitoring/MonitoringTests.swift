import Foundation
import SocketTesting
import Testing

/// The alert rules and the dashboard in `config`.
@Suite struct MonitoringTests {
    private static let alerts = Command.repository.appending(path: "config/prometheus/alerts.yaml")
    private static let dashboard = Command.repository.appending(path: "config/grafana/deckd.json")

    private func promtool(_ arguments: String...) throws -> Command.Result {
        try Command.run("/usr/bin/promtool", arguments)
    }

    @Test func promtoolAcceptsTheAlertRules() throws {
        let result = try promtool("check", "rules", Self.alerts.path)
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }

    @Test func alertsFireForANodeInTroubleOnly() throws {
        let file = Command.repository.appending(path: "Tests/DeckdTests/Monitoring/alerts.yaml")
        let cases = try String(contentsOf: file, encoding: .utf8).replacing("[ALERTS]", with: "[\(Self.alerts.path)]")
        try Command.withFile(cases) { path in
            let result = try promtool("test", "rules", path)
            #expect(result.status == 0, "\(result.output)\(result.errors)")
        }
        // An alert that is missing or too much is noticed.
        let (silent, needless) = (
            cases.replacing("60000x300", with: "6x300"), cases.replacing("0.02x300", with: "2x300")
        )
        for wrong in [silent, needless] {
            #expect(wrong != cases)
            try Command.withFile(wrong) { path in
                let result = try promtool("test", "rules", path)
                #expect(result.status != 0)
            }
        }
    }

    @Test func everyAlertHasACase() throws {
        let cases = Command.repository.appending(path: "Tests/DeckdTests/Monitoring/alerts.yaml")
        let alerts = try String(contentsOf: Self.alerts, encoding: .utf8).matches(of: /- alert: (\w+)/).map { $0.1 }
        let expected = try String(contentsOf: cases, encoding: .utf8).matches(of: /alertname="(\w+)"/).map { $0.1 }
        #expect(alerts.count > 10)
        #expect(Set(alerts) == Set(expected))
    }

    @Test(arguments: [MonitoringTests.alerts, MonitoringTests.dashboard])
    func everyMetricAndLabelExists(file: URL) throws {
        let text = try String(contentsOf: file, encoding: .utf8).replacing(#"\""#, with: "\"")
        let server = try RunningServer()
        let port = try server.port()
        #expect(Answer(port, "GET", "/nothing")?.status == 404)
        let scrape = try Scrape(port)
        let names = Set(text.matches(of: /\b(?:deckd|process)_[a-z_]+/).map { String($0.0) })
        #expect(names.count > 15)
        for name in names {
            #expect(scrape.kinds[name] != nil || scrape.kinds[histogram(name)] == "histogram", "\(name)")
        }
        for selection in text.matches(of: /\b((?:deckd|process)_[a-z_]+)\{([^}]*)\}/) {
            let labels = Set(selection.2.matches(of: /(\w+)[=!]~?"/).map { String($0.1) })
            let series = scrape.samples.keys.filter { $0.hasPrefix("\(selection.1){") }
            let known = Set(series.flatMap { $0.matches(of: /[{,](\w+)="/).map { String($0.1) } })
            #expect(labels.subtracting(known).isSubset(of: ["job", "instance"]), "\(selection.0)")
            for value in selection.2.matches(of: /\b(?!job\b|instance\b)\w+="[^"]*"/) {
                #expect(series.contains { $0.contains(value.0) }, "\(selection.0)")
            }
        }
    }

    /// The histogram that has a series.
    private func histogram(_ name: String) -> String {
        name.replacing(/_(bucket|sum|count)$/, with: "")
    }

    /// The expressions of the dashboard's panels.
    private func expressions() throws -> [String] {
        struct Dashboard: Decodable {
            struct Target: Decodable { let expr: String }
            struct Panel: Decodable {
                let title: String
                let targets: [Target]?
            }
            let panels: [Panel]
        }
        let panels = try JSONDecoder().decode(Dashboard.self, from: Data(contentsOf: Self.dashboard)).panels
        #expect(Set(panels.map(\.title)).count == panels.count)
        return panels.flatMap { $0.targets ?? [] }.map(\.expr)
    }

    @Test func theDashboardShowsEveryMetricOfDeckd() throws {
        let queries = try expressions().joined(separator: "\n")
        let shown = Set(queries.matches(of: /\bdeckd_[a-z_]+/).flatMap { [String($0.0), histogram(String($0.0))] })
        let server = try RunningServer()
        let metrics = try Scrape(try server.port()).kinds.keys.filter { $0.hasPrefix("deckd_") }
        #expect(Set(metrics).subtracting(shown) == ["deckd_build_info"])
    }

    @Test func promtoolAcceptsTheExpressionsOfTheDashboard() throws {
        let queries = try expressions().map { $0.replacing("$__rate_interval", with: "5m") }
        let rules = queries.enumerated().map { "  - record: rule\($0)\n    expr: '\($1)'\n" }.joined()
        try Command.withFile("groups:\n- name: dashboard\n  rules:\n\(rules)") { path in
            let result = try promtool("check", "rules", path)
            #expect(result.status == 0, "\(result.output)\(result.errors)")
            #expect(result.output.contains("\(queries.count) rules found"))
        }
    }
}
