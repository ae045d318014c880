import Foundation
import SocketTesting

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

    /// A sample; 0 if it is not there.
    subscript(_ name: String) -> Double {
        samples[name] ?? 0
    }

    /// Those samples of a metric that are not 0.
    func values(of metric: String) -> [String: Double] {
        samples.filter { $0.key.hasPrefix(metric + "{") && $0.value != 0 }
    }
}
