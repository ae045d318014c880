import MicroHTTP
import SocketTesting
import Testing

/// Requests with `Expect: 100-continue`.
struct ExpectTests {
    private let application = TestApplication(
        admitting: { head in
            head.target.segments == ["refused"] ? .refuse(.text(405, "refused")) : .accept(bodyLimitBytes: 10)
        },
        responding: { request, exchange in
            switch request.head.target.segments {
            case ["later"]: exchange.wake(after: .zero) { $0.send(.describing(request)) }
            case ["stream"]: exchange.stream(headers: [:]).end(with: Array("stream".utf8))
            default: exchange.send(.describing(request))
            }
        }
    )

    @Test func aClientThatAsksFirstIsToldToContinue() throws {
        try withServer(application) { server in
            let client = try RawClient(server.address)
            try client.send("POST /a HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
            #expect(try client.readAnswer().status == 100)
            try client.send("abc")
            #expect(try client.readAnswer().body == "POST [a] abc")
        }
    }

    @Test(arguments: [
        ("/refused", "Content-Length: 3", 405), ("/a", "Content-Length: 11", 413),
        ("/refused", "Transfer-Encoding: chunked", 405), ("/%", "Content-Length: 3", 400),
    ])
    func aClientThatAsksFirstIsRefusedWithoutItsBody(_ target: String, _ framing: String, _ status: Int) throws {
        try withServer(application) { server in
            let client = try RawClient(server.address)
            try client.send("PATCH \(target) HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\(framing)\r\n\r\n")
            let answer = try client.readAnswer()
            #expect(answer.status == status)
            #expect(answer.headers["connection"] == "close")
            #expect(try client.readToEnd().isEmpty)
        }
    }

    /// libmicrohttpd passes an empty part of the body if the next request has come, before it asks for the response.
    @Test(
        arguments: [
            ("GET /a", "", 200, "GET [a] "), ("DELETE /a", "", 200, "DELETE [a] "),
            ("POST /a", "Content-Length: 0\r\n", 200, "POST [a] "), ("GET /later", "", 200, "GET [later] "),
            ("GET /stream", "", 200, "stream"), ("GET /refused", "", 405, "refused"),
            ("POST /refused", "Content-Length: 0\r\n", 405, "refused"),
            ("GET /%", "", 400, "malformed: a percent sign must be followed by two hexadecimal digits"),
        ],
        [false, true]
    )
    func aRequestWithoutABodyIsAnswered(
        _ request: (line: String, framing: String, status: Int, body: String),
        isFollowed: Bool
    ) throws {
        try withServer(application) { server in
            let client = try RawClient(server.address)
            let asking = "\(request.line) HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\(request.framing)\r\n"
            // The third head is known.
            for _ in 0..<3 {
                try client.send(asking + (isFollowed ? "GET /next HTTP/1.1\r\nHost: h\r\n\r\n" : ""))
                #expect(try client.readAnswer().status == 100)
                let answer = try client.readWholeAnswer()
                #expect(answer.status == request.status)
                #expect(answer.body == request.body)
                if isFollowed { #expect(try client.readAnswer().body == "GET [next] ") }
            }
        }
    }

    @Test(arguments: [("Content-Length: 3", "abc"), ("Transfer-Encoding: chunked", "3\r\nabc\r\n0\r\n\r\n")])
    func aBodyThatComesWithTheHeadAndTheNextRequestIsTaken(_ framing: String, _ body: String) throws {
        try withServer(application) { server in
            let client = try RawClient(server.address)
            try client.send(
                "POST /a HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\(framing)\r\n\r\n\(body)"
                    + "GET /next HTTP/1.1\r\nHost: h\r\n\r\n"
            )
            #expect(try client.readAnswer().status == 100)
            #expect(try client.readAnswer().body == "POST [a] abc")
            #expect(try client.readAnswer().body == "GET [next] ")
        }
    }
}
