import MicroHTTP
import Testing

/// An application made of closures. What the transport refuses is answered with the usual status and the refusal's
/// name as the body.
struct TestApplication: Application {
    var admitting: @Sendable (RequestHead) -> Admission = { _ in .accept(bodyLimitBytes: 1_024) }
    var responding: @Sendable (Request, Exchange) -> Void = { request, exchange in exchange.send(.describing(request)) }

    /// What `respond` returns.
    var stepping: @Sendable (Request, Exchange) -> Step = { _, _ in .wait }
    var completing: @Sendable (inout HeaderFields, RequestID, RequestHead?) -> Void = { _, _, _ in }
    var beginning: @Sendable (RequestID) -> Void = { _ in }
    var ending: @Sendable (RequestReport) -> Void = { _ in }
    /// Runs after each turn of a worker. Its time does not belong to the turn.
    var turning: @Sendable () -> Void = {}

    func began(_ id: RequestID) {
        beginning(id)
    }

    func admit(_ head: RequestHead) -> Admission {
        admitting(head)
    }

    func respond(to request: Request, over exchange: Exchange) -> Step {
        responding(request, exchange)
        return stepping(request, exchange)
    }

    func addHeaders(to headers: inout HeaderFields, of id: RequestID, head: RequestHead?) {
        completing(&headers, id, head)
    }

    func ended(_ report: RequestReport) {
        ending(report)
    }

    func turned(inNanoseconds nanoseconds: Int, worker: Int) {
        turning()
    }

    func response(to refusal: Refusal, head: RequestHead?) -> Response {
        switch refusal {
        case .malformedTarget(let detail), .malformedHead(let detail): .text(400, "malformed: \(detail)")
        case .headTooLong: .text(431, "head too long")
        case .bodyTooLarge(let limit): .text(413, "over \(limit)")
        case .overloaded(let status): .text(503, "overloaded: \(status)")
        case .tooManyRequests: .text(503, "too many requests")
        case .stopping: .text(503, "stopping")
        case .failed: .text(500, "failed")
        }
    }
}

extension Response {
    static func text(_ status: Int, _ text: String) -> Response {
        Response(status: status, headers: ["Content-Type": "text/plain"], body: Array(text.utf8))
    }

    /// Echoes what arrived: method, segments and the body.
    static func describing(_ request: Request) -> Response {
        let path = request.head.target.segments.joined(separator: "|")
        return text(200, "\(request.head.method) [\(path)] \(String(decoding: request.body, as: UTF8.self))")
    }
}

/// Keeps the exchanges of requests that wait, for the test to answer them from its own thread.
struct Waiters: Sendable {
    let exchanges = Watched<[Exchange]>([])

    var application: TestApplication {
        TestApplication(responding: { [exchanges] request, exchange in
            if request.head.target.segments.first == "now" {
                exchange.send(.text(200, "now"))
            } else {
                exchanges.change { $0.append(exchange) }
            }
        })
    }

    func wait(for count: Int) -> Bool {
        exchanges.wait { $0.count >= count }
    }

    func take() -> [Exchange] {
        exchanges.change { exchanges in
            defer { exchanges = [] }
            return exchanges
        }
    }
}

/// Answers every request with a stream, except those for `/now`, and keeps the streams and how they ended.
struct Streams: Sendable {
    let opened = Watched<[BodyStream]>([])
    let ends = Watched<[BodyStream.End]>([])
    var heartbeat = ":\n"
    var closing: String? = "closing\n"

    var application: TestApplication {
        TestApplication(responding: { [self] request, exchange in
            if request.head.target.segments.first == "now" {
                exchange.send(.text(200, "now"))
            } else {
                let stream = exchange.stream(
                    headers: ["Content-Type": "text/event-stream"],
                    heartbeat: Array(heartbeat.utf8),
                    closing: closing.map { Array($0.utf8) }
                ) { end in
                    ends.change { $0.append(end) }
                }
                opened.change { $0.append(stream) }
            }
        })
    }

    /// Waits for as many streams to be open, and returns the last; nil when they are not within ten seconds.
    func last(of count: Int) -> BodyStream? {
        opened.wait { $0.count >= count } ? opened.read().last : nil
    }
}

extension BodyStream {
    @discardableResult
    func write(_ text: String) -> Bool {
        write(Array(text.utf8))
    }
}

/// Runs a server on a free port of the loopback interface while the body runs, and stops it afterwards.
func withServer<Result>(
    _ application: TestApplication = TestApplication(),
    configure: (inout ServerConfiguration) -> Void = { _ in },
    _ body: (Server) throws -> Result
) throws -> Result {
    var configuration = ServerConfiguration(host: "127.0.0.1", port: 0)
    configuration.workerCount = 2
    configure(&configuration)
    let server = Server(configuration: configuration, application: application)
    try server.start()
    defer { server.stop(grace: .zero) }
    return try body(server)
}
