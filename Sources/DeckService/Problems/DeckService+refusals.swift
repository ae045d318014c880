internal import Logging
public import MicroHTTP

extension DeckService {
    /// The problem document for a request that the transport refuses, or that failed while it was answered.
    public func response(to refusal: Refusal, head: RequestHead?) -> Response {
        switch refusal {
        case .malformedTarget(let detail):
            let problem = Problem(.malformedTarget, "The path or the query cannot be read: \(detail).")
            return .problem(problem, instance: nil)
        case .malformedHead(let detail):
            let problem = Problem(.malformedHeader, "The head of the request cannot be read: \(detail).")
            return .problem(problem, instance: head?.target.path)
        case .headTooLong:
            return .text(status: 431, "The head does not fit into the memory of a connection.\n")
        case .bodyTooLarge(let limit):
            let detail = limit == 0 ? "This request must not have a body." : "The body may have \(limit) bytes at most."
            return .problem(Problem(.bodyTooLarge, detail), instance: head?.target.path)
        case .overloaded(let status):
            let detail = """
                Too many bytes of responses wait for clients to read them. The request was carried out, and its response had the \
                status \(status).
                """
            var problem = Problem(.overloaded, detail)
            // Without Retry-After, a client does not send a change again.
            if let head, !head.isRepeatable { problem.retrySeconds = nil }
            return .problem(problem, instance: head?.target.path)
        case .tooManyRequests:
            let problem = Problem(.overloaded, "The client's address has too many requests at once.")
            return .problem(problem, instance: head?.target.path)
        case .stopping:
            let isOfChange = head.map { !$0.method.isSafe } ?? false
            let detail =
                isOfChange ? "The server stopped before the change was confirmed." : "The server is shutting down."
            return .problem(Problem(.stopping, detail), instance: head?.target.path)
        case .failed:
            logger.error("a response could not be created", metadata: ["path": "\(head?.target.path ?? "?")"])
            return .problem(Problem(.internalError, "The response could not be created."), instance: head?.target.path)
        }
    }
}
