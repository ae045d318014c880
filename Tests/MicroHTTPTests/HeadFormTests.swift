import MicroHTTP
import SocketTesting
import Testing

/// Heads that another program on the way could read in another way are refused, and what follows is not read.
struct HeadFormTests {
    struct Form: CustomTestStringConvertible, Sendable {
        var name: String
        var bytes: String

        var testDescription: String { name }
    }

    /// In each, a second request is hidden in what may be the body of the first.
    private static let hidden = "GET /hidden HTTP/1.1\r\nHost: h\r\n\r\n"
    private static let length = hidden.utf8.count

    private static let bad = [
        Form(name: "a folded field", bytes: "POST /a HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n"),
        Form(
            name: "a folded length",
            bytes: "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length:\r\n \(length)\r\n\r\n\(hidden)"
        ),
        Form(
            name: "a length that continues",
            bytes: "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\t0\r\n\r\n\(hidden)"
        ),
        Form(name: "a fold before the end", bytes: "GET /a HTTP/1.1\r\nHost: h\r\nX: a\r\n \r\n\r\n"),
        Form(name: "a fold with nothing before it", bytes: "GET /a HTTP/1.1\r\n X: a\r\nHost: h\r\n\r\n"),
        Form(
            name: "a space before the colon",
            bytes: "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length : \(length)\r\n\r\n\(hidden)"
        ),
        Form(
            name: "a tab before the colon",
            bytes: "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding\t: chunked\r\n\r\n\(hidden)"
        ),
        Form(name: "a space within a name", bytes: "GET /a HTTP/1.1\r\nHost: h\r\nX Y: a\r\n\r\n"),
        Form(name: "no name", bytes: "GET /a HTTP/1.1\r\nHost: h\r\n: a\r\n\r\n"),
        Form(name: "a line feed alone after the request line", bytes: "GET /a HTTP/1.1\nHost: h\r\n\r\n"),
        Form(name: "a line feed alone after a field", bytes: "GET /a HTTP/1.1\r\nHost: h\nX: a\r\n\r\n"),
        Form(name: "a line feed alone after the last field", bytes: "GET /a HTTP/1.1\r\nHost: h\n\r\n"),
        Form(name: "a line feed alone at the end", bytes: "GET /a HTTP/1.1\r\nHost: h\r\n\n"),
        Form(name: "line feeds alone", bytes: "GET /a HTTP/1.1\nHost: h\n\n"),
        Form(name: "a carriage return within a value", bytes: "GET /a HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n"),
        Form(name: "a NUL within a value", bytes: "GET /a HTTP/1.1\r\nHost: h\r\nX: a\0b\r\n\r\n"),
        Form(
            name: "a NUL within a length",
            bytes: "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\00\r\n\r\n\(hidden)"
        ),
        Form(name: "a NUL within a name", bytes: "GET /a HTTP/1.1\r\nHost: h\r\nX\0Y: a\r\n\r\n"),
        Form(name: "a NUL within the target", bytes: "GET /a\0b HTTP/1.1\r\nHost: h\r\n\r\n"),
        Form(name: "a control character within the target", bytes: "GET /a\u{1}b HTTP/1.1\r\nHost: h\r\n\r\n\(hidden)"),
        Form(name: "a DEL within the query", bytes: "GET /a?b=\u{7F} HTTP/1.1\r\nHost: h\r\n\r\n\(hidden)"),
        Form(name: "a fragment", bytes: "GET /a#b HTTP/1.1\r\nHost: h\r\n\r\n\(hidden)"),
        Form(
            name: "a fragment and a body",
            bytes: "POST /a#b HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n\(hidden)"
        ),
        Form(name: "a NUL within the method", bytes: "GET\0T /a HTTP/1.1\r\nHost: h\r\n\r\n"),
        Form(name: "a control character within the method", bytes: "G\u{1}T /a HTTP/1.1\r\nHost: h\r\n\r\n"),
        Form(name: "two spaces before the target", bytes: "GET  /a HTTP/1.1\r\nHost: h\r\n\r\n"),
        Form(name: "no host", bytes: "GET /a HTTP/1.1\r\nX: a\r\n\r\n"),
        Form(name: "two hosts", bytes: "GET /a HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n"),
        Form(
            name: "two lengths",
            bytes: "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nContent-Length: \(length)\r\n\r\n\(hidden)"
        ),
        Form(
            name: "the same length twice",
            bytes: "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab"
        ),
        Form(name: "a list of lengths", bytes: "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 2, 2\r\n\r\nab"),
        Form(name: "a length with a sign", bytes: "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: +2\r\n\r\nab"),
        Form(name: "a negative length", bytes: "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n"),
        Form(name: "a hexadecimal length", bytes: "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 0x2\r\n\r\nab"),
        Form(name: "no length", bytes: "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length:\r\n\r\n\(hidden)"),
        Form(
            name: "a length and chunks",
            bytes:
                "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n\(hidden)"
        ),
        Form(name: "another coding", bytes: "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n\(hidden)"),
        Form(
            name: "two codings",
            bytes: "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n\(hidden)"
        ),
        Form(
            name: "chunks twice",
            bytes:
                "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n\(hidden)"
        ),
        Form(
            name: "a coding in quotes",
            bytes: "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n\(hidden)"
        ),
        Form(
            name: "an empty coding",
            bytes: "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding:\r\n\r\n0\r\n\r\n\(hidden)"
        ),
        Form(
            name: "chunks in HTTP/1.0",
            bytes: "POST /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n\(hidden)"
        ),
    ]

    @Test(arguments: bad) func whatCanBeReadInSeveralWaysIsRefused(_ form: Form) throws {
        let seen = Watched<[String]>([])
        let application = TestApplication(responding: { request, exchange in
            seen.change { $0.append(request.head.target.path) }
            exchange.send(.text(200, "taken"))
        })
        try withServer(application) { server in
            let client = try RawClient(server.address)
            try client.send(form.bytes)
            let answer = try client.readAnswer()
            #expect((400...417).contains(answer.status), "\(answer)")
            // The connection ends, so the remaining bytes are not parsed as a request.
            #expect(try !client.readToEnd().contains("taken"))
            #expect(seen.read().isEmpty)
        }
    }

    private static let good = [
        Form(name: "a plain head", bytes: "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nab"),
        Form(name: "no space after the colon", bytes: "POST /a HTTP/1.1\r\nHost:h\r\nContent-Length:2\r\n\r\nab"),
        Form(name: "much space around values", bytes: "GET /a HTTP/1.1\r\nHost: \t h\r\nX:  a b  \r\n\r\n"),
        Form(name: "empty values", bytes: "GET /a HTTP/1.1\r\nX:\r\nHost: h\r\nY: \r\nZ:\t\r\n\r\n"),
        Form(name: "a zero in front of a length", bytes: "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 02\r\n\r\nab"),
        Form(name: "bytes beyond ASCII", bytes: "GET /a HTTP/1.1\r\nHost: h\r\nX: \u{e4}\r\n\r\n"),
        Form(
            name: "cookies",
            bytes: "GET /a HTTP/1.1\r\nCookie: a=b; c=\"d\"\r\nHost: h\r\nCookie: e=f\r\nX: y\r\n\r\n"
        ),
        Form(
            name: "chunks",
            bytes: "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"
        ),
        Form(
            name: "many fields",
            bytes: "GET /a HTTP/1.1\r\nHost: h\r\n"
                + (0..<200).map { "X-\($0): \(String(repeating: "v", count: $0 % 50))\r\n" }.joined() + "\r\n"
        ),
        Form(name: "HTTP/1.0 without a host", bytes: "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"),
        Form(name: "HTTP/1.0 without fields", bytes: "GET /a HTTP/1.0\r\n\r\n"),
    ]

    @Test(arguments: good, [false, true]) func whatIsWrittenWellIsTaken(_ form: Form, byteByByte: Bool) throws {
        try withServer(TestApplication()) { server in
            let client = try RawClient(server.address)
            if byteByByte {
                for byte in form.bytes.unicodeScalars.map(String.init) { try client.send(byte) }
            } else {
                try client.send(form.bytes)
            }
            #expect(try client.readAnswer().status == 200)
        }
    }

    /// libmicrohttpd answers nothing in this case.
    @Test(arguments: ["GET /a b HTTP/1.1\r\nHost: h\r\n\r\n", "GET /a  HTTP/1.1\r\nHost: h\r\n\r\n"])
    func aTargetWithASpaceEndsTheConnection(_ bytes: String) throws {
        try withServer(TestApplication()) { server in
            let client = try RawClient(server.address)
            try client.send(bytes)
            #expect(try client.readToEnd().isEmpty)
        }
    }

    /// The second request on a connection is read at another place of the same memory.
    @Test func everyRequestOfAConnectionIsLookedAt() throws {
        try withServer(TestApplication()) { server in
            let client = try RawClient(server.address)
            for number in 0..<50 {
                try client.send(
                    "POST /a HTTP/1.1\r\nHost: h\r\nX: \(String(repeating: "x", count: number * 7))\r\nContent-Length: 1\r\n\r\na"
                )
                if number.isMultiple(of: 3) { try client.get("/b") }
                #expect(try client.readAnswer().status == 200)
                if number.isMultiple(of: 3) { #expect(try client.readAnswer().status == 200) }
            }
            try client.send("GET /a HTTP/1.1\r\nHost: h\nX: a\r\n\r\n")
            #expect(try client.readAnswer().status == 400)
        }
    }
}
