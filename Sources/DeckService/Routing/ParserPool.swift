import DeckWire
import Locking

/// JSON parsers that are not in use. A parser is taken out while it reads, so that no two threads share one.
final class ParserPool: Sendable {
    /// A parser on its way from one thread to another, never in use by both.
    private struct Idle: @unchecked Sendable {
        var parser: JSONParser
    }

    private let idle = Lock<[Idle]>([])

    /// Reads a body.
    func read<Result>(
        _ body: [UInt8],
        _ use: (JSONValue) throws(WireError) -> Result
    ) throws(Problem) -> Result {
        let taken = idle.withLock { $0.popLast() } ?? Idle(parser: JSONParser())
        defer { idle.withLock { $0.append(taken) } }
        do throws(WireError) {
            return try taken.parser.read(body, use)
        } catch {
            throw Problem(error)
        }
    }
}
