import DeckWire
import MicroHTTP

extension Response {
    /// An answer with a JSON document. Answers change with every event, so they must not be cached.
    static func json(
        status: Int = 200,
        headers: HeaderFields = HeaderFields(),
        type: String = "application/json",
        capacity: Int = 512,
        _ write: (inout JSONWriter) -> Void
    ) -> Response {
        var writer = JSONWriter(capacity: capacity)
        write(&writer)
        var headers = headers
        headers.set("Content-Type", type)
        headers.set("Cache-Control", "no-store")
        return Response(status: status, headers: headers, body: ResponseBody(writer.finish()))
    }

    /// An answer with a problem document. If the problem is temporary, it has Retry-After.
    static func problem(_ problem: Problem, instance: String?) -> Response {
        var headers = HeaderFields()
        let status = problem.kind.status
        if let seconds = problem.retrySeconds { headers.set("Retry-After", "\(Int.random(in: seconds))") }
        if let challenge = problem.kind.definition.challenge { headers.set("WWW-Authenticate", challenge.rawValue) }
        for field in problem.headers.fields { headers.set(field) }
        var response = Response.json(status: status, headers: headers, type: Endpoint.problemType) {
            problem.write(instance: instance, to: &$0)
        }
        response.label = problem.kind.label
        response.remark = problem.cause
        return response
    }

    /// An answer with plain text.
    static func text(status: Int = 200, _ text: String) -> Response {
        Response(status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Array(text.utf8))
    }
}

extension HeaderFields {
    /// The headers of answers that must not be cached.
    static let notStored: HeaderFields = ["Cache-Control": "no-store"]
    /// The headers of answers in JSON. Answers change with every event, so they must not be cached.
    static let json = notStored(type: "application/json")

    /// The headers of answers of a media type that must not be cached.
    static func notStored(type: String) -> HeaderFields {
        ["Content-Type": type, "Cache-Control": "no-store"]
    }
}

extension ResponseBody {
    /// A body that takes the memory of bytes that were written.
    init(_ written: consuming WrittenBytes) {
        let count = written.count
        self.init(taking: written.take(), count: count)
    }
}
