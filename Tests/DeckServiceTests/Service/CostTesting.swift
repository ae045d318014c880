import SteadyClock
import Synchronization
import Testing

@testable import DeckService

/// A clock that stands still until a test moves it, so that no units come back while requests take their time.
final class CostClock: Sendable {
    private let nanoseconds = Atomic<Int64>(0)

    var now: SteadyTime { SteadyTime(nanoseconds: nanoseconds.load(ordering: .sequentiallyConsistent)) }

    func advance(milliseconds: Int64) {
        nanoseconds.add(milliseconds * 1_000_000, ordering: .sequentiallyConsistent)
    }
}

extension ServiceConfiguration {
    /// Limits what the requests of players may cost.
    mutating func limitCosts(perSecond: Int, burst: Int, by clock: CostClock) {
        (costPerSecond, costBurst) = (perSecond, burst)
        costClock = { clock.now }
    }
}

extension Client {
    /// The units that players have spent.
    func unitsOfPlayers() async throws -> Int {
        let metrics = try await get("/metrics").text
        let units = metrics.firstMatch(of: /deckd_cost_units_total\{payer="player"\} (\d+)/).flatMap { Int($0.1) }
        return try #require(units)
    }

    /// 240,000 bytes, which are fourteen times 16,384 and a rest.
    static let largeDeck: String = {
        let data = String(repeating: "x", count: 15_000)
        return #"{"cards":[\#((0..<16).map { #"{"id":"\#($0)","data":"\#(data)"}"# }.joined(separator: ","))]}"#
    }()
}
