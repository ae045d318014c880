import Foundation
import SocketTesting
import Testing

/// What a request's head costs depends on its length, and not on what is in it. The times of a release build are compared, with
/// nothing beside them.
@Suite(.enabled(if: Command.isRelease)) struct HeadCostTests {
    private static let bytes = 16_384
    /// Requests of each kind in one round.
    private static let requests = 40

    private static let accepts = [
        "many types": filled(with: "a/b,"), "many qualities": filled(with: "*/*;q=0.5,"),
        "many parameters": "application/json" + filled(with: ";q=0"),
        "one long quality": "*/*;q=0." + filled(with: "0"),
        "separators alone": filled(with: ","), "spaces alone": filled(with: " ") + ",*/*",
    ]

    @Test(arguments: accepts.keys.sorted()) func anAcceptOf16KiBCostsNoMoreThanAnyHead(name: String) throws {
        // A head may fill half of this.
        let server = try RunningServer(environment: ["DECKD_LIMITS_CONNECTION_MEMORY_BYTES": "65536"])
        let client = try RawClient(port: server.port())
        let accept = try #require(Self.accepts[name])
        let fields = [
            "Accept: application/json\r\nX-Any: \(String(accept.map { $0 == "," ? "-" : $0 }))\r\n",
            "Accept: \(accept)\r\n",
        ]
        var shortest = [Duration.seconds(60), .seconds(60)]
        for _ in 0..<15 {
            for (place, fields) in fields.enumerated() {
                let time = try ContinuousClock().measure {
                    for _ in 0..<Self.requests {
                        try client.send("GET /v1/decks HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
                        let answer = try client.readWholeAnswer()
                        try #require([200, 406].contains(answer.status), "\(answer)")
                    }
                }
                shortest[place] = min(shortest[place], time / Self.requests)
            }
        }
        let ratio = shortest[1] / shortest[0]
        print("Accept of \(name): \(shortest[1]), another field: \(shortest[0]), ratio \(ratio)")
        #expect(ratio < 1.5)
    }

    private static func filled(with text: String) -> String {
        String(repeating: text, count: bytes / text.utf8.count)
    }
}
