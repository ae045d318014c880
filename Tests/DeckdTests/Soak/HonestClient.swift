import Foundation

/// A client as a page has it: it drags a card, turns one over and asks for frames, many times a second.
final class HonestClient: @unchecked Sendable {
    private let client: AttackClient
    private let session: String
    /// How long each request took, in milliseconds.
    private(set) var times: [Double] = []
    /// The answers that were not 200, and the errors.
    private(set) var refusals: [String] = []
    private var number = 0

    private static let pauseMicroseconds: UInt32 = 30_000

    init(port: Int) throws {
        client = try AttackClient(port: port)
        session = try AttackClient.begin(
            #"{"deck":{"count":50,"loop":true},"viewport":{"width":300,"height":400}}"#,
            port: port
        )
    }

    /// Sends requests until the end, and forgets the times of earlier ones.
    func run(until end: ContinuousClock.Instant) {
        times = []
        while ContinuousClock.now < end {
            let start = ContinuousClock.now
            do {
                let status = try request()
                if status != 200 { refusals.append("\(status)") }
            } catch {
                refusals.append("\(error)")
            }
            times.append((ContinuousClock.now - start) / .milliseconds(1))
            usleep(Self.pauseMicroseconds)
        }
    }

    /// What has no verdict, because verdicts stay for ever and the file would grow.
    private func request() throws -> Int {
        number += 1
        let events = "\(session)/events?frame=none"
        switch number % 4 {
        case 0: return try client.post(#"{"type":"flip"}"#, to: events)
        case 1: return try client.get("\(session)/frame")
        case 2: return try client.post(#"{"type":"drag","phase":"changed","translation":{"x":20,"y":1}}"#, to: events)
        default: return try client.post(#"{"type":"drag","phase":"cancelled"}"#, to: events)
        }
    }
}
