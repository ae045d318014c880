import Foundation
import SocketTesting
import Testing

/// What a scrape of `/metrics` gave.
struct Scrape {
    /// Each sample's value by its name and labels as they stand.
    var samples: [String: Double] = [:]
    /// The kind of each metric.
    var kinds: [String: String] = [:]
    var text: String

    init(_ port: Int) throws {
        guard let answer = Answer(port, "GET", "/metrics"), answer.status == 200,
            answer.head.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8")
        else { throw RunningServer.Failure(description: "no metrics") }
        text = answer.body
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if line.hasPrefix("# TYPE ") {
                kinds[String(words[2])] = String(words[3])
            } else if !line.hasPrefix("#"), let space = line.lastIndex(of: " ") {
                samples[String(line[..<space])] = Double(line[line.index(after: space)...])
            }
        }
    }

    /// A sample. One that is not there fails the test, so that the test notices when a metric gets another name.
    subscript(_ name: String) -> Double {
        if let value = samples[name] { return value }
        Issue.record("there is no sample \(name)")
        return .nan
    }

    /// Those samples of a metric that are not 0. A metric that does not exist fails the test.
    func values(of metric: String) -> [String: Double] {
        #expect(kinds[metric] != nil || kinds[metric.replacing(/_(bucket|sum|count)$/, with: "")] == "histogram")
        return samples.filter { $0.key.hasPrefix(metric + "{") && $0.value != 0 }
    }
}
