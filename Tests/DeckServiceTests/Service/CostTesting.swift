import Testing

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
