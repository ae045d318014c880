import DeckWire
import Locking

/// JSON parsers that are not in use. A parser is taken out while it reads, so that two threads never share one.
final class ParserPool: Sendable {
    /// A parser that is passed from one thread to another and never used by both at a time.
    private struct Idle: @unchecked Sendable {
        var parser: JSONParser
    }

    private let idle = Lock<[Idle]>([])

    /// Reads a body.
    func read<Result>(
        _ body: [UInt8],
        _ use: (JSONValue) throws(WireError) -> Result
    ) throws(Problem) -> Result {
        do throws(WireError) {
            return try parse(body, use)
        } catch {
            throw Problem(error)
        }
    }

    /// Reads a document from the journal. If it cannot be read, the problem is one of the server.
    ///
    /// - Parameter name: names the document in the problem.
    func readSaved<Result>(
        _ name: String,
        _ document: [UInt8],
        _ use: (JSONValue) throws(WireError) -> Result
    ) throws(Problem) -> Result {
        do throws(WireError) {
            return try parse(document, use)
        } catch {
            throw Problem(.journalUnavailable, "\(name) in the journal cannot be read: \(error.issue.detail)")
        }
    }

    private func parse<Result>(
        _ document: [UInt8],
        _ use: (JSONValue) throws(WireError) -> Result
    ) throws(WireError) -> Result {
        let taken = idle.withLock { $0.popLast() } ?? Idle(parser: JSONParser())
        defer { idle.withLock { $0.append(taken) } }
        return try taken.parser.read(document, use)
    }
}
