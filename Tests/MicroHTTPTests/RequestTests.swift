import Foundation
import MicroHTTP
import SocketTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct RequestTests {
    @Test func aUsualClientGetsItsAnswers() async throws {
        let application = TestApplication(responding: { request, exchange in
            let status = request.head.target.segments == ["missing"] ? 404 : 200
            exchange.send(.text(status, "\(request.head.method) \(request.body.count)"))
        })
        var configuration = ServerConfiguration(host: "localhost", port: 0)
        configuration.workerCount = 2
        let server = Server(configuration: configuration, application: application)
        try server.start()
        defer { server.stop(grace: .zero) }
        var request = URLRequest(url: try #require(URL(string: server.address.url + "/decks?x=1")))
        request.httpMethod = "POST"
        request.httpBody = Data(repeating: 7, count: 1_024)
        let (body, response) = try await URLSession.shared.data(for: request)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(String(decoding: body, as: UTF8.self) == "POST 1024")
        let missing = try #require(URL(string: server.address.url + "/missing"))
        let (_, second) = try await URLSession.shared.data(from: missing)
        #expect((second as? HTTPURLResponse)?.statusCode == 404)
    }

    @Test func theHeadTellsWhatTheClientSent() throws {
        let heads = Watched<[RequestHead]>([])
        let application = TestApplication(admitting: { head in
            heads.change { $0.append(head) }
            return .accept(bodyLimitBytes: 10)
        })
        try withServer(application) { server in
            let client = try RawClient(server.address)
            try client.send(
                "PURGE /a%20b?c=d HTTP/1.1\r\nHost: h\r\nX-Two: a\r\nx-two: \t b c\t \r\nX-None: \t\r\nContent-Length: 3\r\n\r\nabc"
            )
            #expect(try client.readAnswer().body == "PURGE [a b] abc")
            let head = try #require(heads.read().first)
            #expect(head.method == HTTPMethod(rawValue: "PURGE"))
            #expect(head.headers.values("X-Two") == ["a", "b c"])
            #expect(head.headers.values("X-None") == [""])
            #expect(head.headers.fields.map(\.name) == ["Host", "X-Two", "x-two", "X-None", "Content-Length"])
            #expect(head.target.query == [RequestTarget.QueryItem(name: "c", value: "d")])
            #expect(head.version == "HTTP/1.1")
            #expect(head.contentLength == 3)
            #expect(head.peer == "127.0.0.1")
        }
    }

    /// The response needs memory beside the head. Without it, libmicrohttpd would close the connection after the request was
    /// answered. The library copies cookies, and stores each of them.
    @Test(arguments: [
        (4096, "X", 1), (32_768, "X", 1), (32_768, "X", 100), (32_768, "Cookie", 1), (32_768, "a=b;Cookie", 1),
    ])
    func aHeadThatLeavesNoRoomForAResponseIsRefusedFirst(memoryBytes: Int, name: String, fieldCount: Int) throws {
        let sizes = stride(from: memoryBytes / 128, to: memoryBytes + 256, by: memoryBytes / 256)
        let requests = sizes.map { size in
            let fields = Self.fields(name, fieldCount, size: size / fieldCount)
            return "POST / HTTP/1.1\r\nHost: h\r\n\(fields)Content-Length: 3\r\n\r\nabc"
        }
        try expectAnswersUntilRefusals(requests, moreThan: 4, memoryBytes: memoryBytes)
    }

    /// The bytes behind a request are in the same memory as its head until it is answered.
    @Test(arguments: [(4096, 1), (32_768, 1), (32_768, 100)])
    func aRequestWithBytesBehindItIsAnsweredOrRefusedFirst(memoryBytes: Int, valueBytes: Int) throws {
        let value = String(repeating: "a", count: valueBytes)
        // The second request is never complete.
        let second = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(2 * memoryBytes)\r\n\r\n"
        let behind = second + String(repeating: "b", count: memoryBytes)
        let requests = stride(from: 0, through: memoryBytes / 64, by: max(1, memoryBytes / 4096)).map { fieldCount in
            let fields = (0..<fieldCount).map { "x\($0): \(value)\r\n" }.joined()
            return "GET / HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\(behind)"
        }
        try expectAnswersUntilRefusals(requests, moreThan: 8, memoryBytes: memoryBytes)
    }

    /// The library stores each argument of a query, however short it is.
    @Test(arguments: [4096, 32_768]) func aQueryThatLeavesNoRoomForAResponseIsRefusedFirst(memoryBytes: Int) throws {
        let requests = stride(from: 0, through: memoryBytes / 48, by: memoryBytes / 2048).map { count in
            "GET /?\(String(repeating: "a&", count: count)) HTTP/1.1\r\nHost: h\r\n\r\n"
        }
        try expectAnswersUntilRefusals(requests, moreThan: 4, memoryBytes: memoryBytes)
    }

    /// Requests whose heads become longer: the first ones are answered, and the others refused before the application sees them.
    ///
    /// - Parameter leastCount: more than this many must be answered.
    private func expectAnswersUntilRefusals(_ requests: [String], moreThan leastCount: Int, memoryBytes: Int) throws {
        let answeredCount = Watched(0)
        let application = TestApplication(responding: { request, exchange in
            answeredCount.change { $0 += 1 }
            exchange.send(.describing(request))
        })
        try withServer(application, configure: { $0.perConnectionMemoryBytes = memoryBytes }) { server in
            let statuses = try requests.map { request in
                let client = try RawClient(server.address)
                try client.send(request)
                // A head that leaves no memory even for the refusal is only cut off.
                return (try? client.readAnswer().status) ?? 0
            }
            let successCount = statuses.prefix { $0 == 200 }.count
            #expect(successCount > leastCount && answeredCount.read() == successCount)
            let refused = statuses.dropFirst(successCount)
            #expect(refused.first == 431 && Set(refused).isSubset(of: [431, 0]))
        }
    }

    /// Fields of this size. Each of several cookies has four bytes.
    private static func fields(_ name: String, _ count: Int, size: Int) -> String {
        if name == "a=b;Cookie" { return "Cookie: \(String(repeating: "a=b;", count: size / 4))c=d\r\n" }
        let value = String(repeating: "a", count: max(1, size - 10))
        return (0..<count).map { name == "Cookie" ? "Cookie: a=\(value)\r\n" : "\(name)-\($0): \(value)\r\n" }.joined()
    }

    /// There is room for twice as many bytes of responses to requests that can change something.
    @Test func thereIsMoreRoomForResponsesToChanges() throws {
        var application = TestApplication(responding: { request, exchange in
            exchange.send(Response(status: 200, body: [UInt8](repeating: 65, count: request.body.count << 10)))
        })
        application.admitting = { _ in .accept(bodyLimitBytes: 4096) }
        try withServer(application, configure: { $0.responseBytes = 1_048_576 }) { server in
            let client = try RawClient(server.address)
            for (method, kibibytes, status) in [
                ("GET", 1000, 200), ("GET", 1100, 503), ("POST", 1100, 200), ("POST", 2000, 200), ("POST", 2100, 503),
            ] {
                let body = String(repeating: "a", count: kibibytes)
                try client.send("\(method) / HTTP/1.1\r\nHost: h\r\nContent-Length: \(kibibytes)\r\n\r\n\(body)")
                let answer = try client.readAnswer()
                #expect(answer.status == status, "\(method) \(kibibytes)")
                if status == 503 { #expect(answer.body == "overloaded: 200") }
            }
        }
    }

    /// A response with the status 304 has the length of a body that is not sent.
    @Test func aBodyThatIsNotSentNeedsNoRoom() throws {
        let application = TestApplication(responding: { _, exchange in
            exchange.send(Response(status: 304, body: [UInt8](repeating: 65, count: 2_000_000)))
        })
        try withServer(application, configure: { $0.responseBytes = 1_048_576 }) { server in
            let client = try RawClient(server.address)
            for _ in 0..<2 {
                try client.get("/")
                #expect(try client.readAnswer().status == 304)
            }
        }
    }

    /// Otherwise clients without credentials could use up the room with requests for files.
    @Test func aBodyThatManyResponsesShareNeedsNoRoom() throws {
        let file = ResponseBody(lasting: [UInt8](repeating: 65, count: 2_000_000))
        let application = TestApplication(responding: { _, exchange in
            exchange.send(Response(status: 200, body: file))
        })
        try withServer(application, configure: { $0.responseBytes = 1_048_576 }) { server in
            let client = try RawClient(server.address)
            for _ in 0..<2 {
                try client.get("/")
                let answer = try client.readAnswer()
                #expect(answer.status == 200 && Array(answer.body.utf8) == file.bytes)
            }
        }
    }

    @Test func oneConnectionCarriesManyRequests() throws {
        try withServer { server in
            let client = try RawClient(server.address)
            for number in 0..<50 {
                try client.post("/\(number)", "body \(number)")
                #expect(try client.readAnswer().body == "POST [\(number)] body \(number)")
            }
        }
    }

    @Test func aResponseThatIsReturnedIsSentAndEndsTheExchange() throws {
        let ended = Watched<[Bool]>([])
        var application = TestApplication(responding: { _, exchange in
            exchange.wake(after: .zero) { _ in ended.change { $0.append(false) } }
            exchange.onWorker { exchange in exchange.send(.text(500, "late")) }
        })
        application.stepping = { request, _ in .respond(.text(200, "returned \(request.head.target.path)")) }
        application.ending = { report in ended.change { $0.append(report.isComplete) } }
        try withServer(application) { server in
            let client = try RawClient(server.address)
            for number in 0..<20 {
                try client.post("/\(number)", "body")
                #expect(try client.readAnswer().body == "returned /\(number)")
            }
            #expect(ended.wait { $0.count >= 20 })
            #expect(ended.read() == Array(repeating: true, count: 20))
        }
    }

    @Test func anAnswerThatWasSentBeforeTheReturnIsTheFirst() throws {
        var application = TestApplication(responding: { _, exchange in exchange.send(.text(200, "sent")) })
        application.stepping = { _, _ in .respond(.text(200, "returned")) }
        try withServer(application) { server in
            let client = try RawClient(server.address)
            for _ in 0..<2 {
                try client.post("/", "body")
                #expect(try client.readAnswer().body == "sent")
            }
        }
    }

    @Test func optionsMayAskForTheWholeServer() throws {
        try withServer { server in
            let client = try RawClient(server.address)
            try client.send("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try client.readAnswer().body == "OPTIONS [] ")
        }
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() throws {
        try withServer { server in
            let client = try RawClient(server.address)
            let requests = (0..<20).map { "POST /\($0) HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx" }
            try client.send(requests.joined())
            for number in 0..<20 {
                #expect(try client.readAnswer().body == "POST [\(number)] x")
            }
        }
    }

    @Test func pipelinedRequestsThatWaitAreAnsweredInOrder() throws {
        let waiters = Waiters()
        try withServer(waiters.application) { server in
            let client = try RawClient(server.address)
            try client.send(String(repeating: "GET /wait HTTP/1.1\r\nHost: h\r\n\r\n", count: 5))
            for number in 0..<5 {
                #expect(waiters.wait(for: 1))
                waiters.take().first?.send(.text(200, "\(number)"))
                #expect(try client.readAnswer().body == "\(number)")
            }
        }
    }

    @Test func headKeepsTheLengthAndDropsTheBody() throws {
        try withServer { server in
            let client = try RawClient(server.address)
            try client.send("HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n")
            let answer = try client.readAnswer(toHead: true)
            #expect(answer.status == 200)
            #expect(answer.headers["content-length"] == "\("HEAD [a] ".utf8.count)")
            try client.get("/b")
            #expect(try client.readAnswer().body == "GET [b] ")
        }
    }

    @Test(arguments: [204, 304, 200, 404, 599, 999])
    func anyFinalStatusCanBeSentWithoutABody(_ status: Int) throws {
        let application = TestApplication(responding: { _, exchange in exchange.send(Response(status: status)) })
        try withServer(application) { server in
            let client = try RawClient(server.address)
            for _ in 0..<2 {
                try client.get("/")
                let answer = try client.readAnswer()
                #expect(answer.status == status)
                #expect(answer.body.isEmpty)
            }
        }
    }

    @Test(arguments: ["/%zz", "/a%00b", "/%ff", "/a?b=%", "*", "?a", "a"])
    func malformedTargetsGetTheApplicationsRefusal(_ target: String) throws {
        try withServer { server in
            let client = try RawClient(server.address)
            try client.post(target, "body to drop")
            let answer = try client.readAnswer()
            #expect(answer.status == 400)
            #expect(answer.body.hasPrefix("malformed: "))
            try client.get("/a%2Fb")
            #expect(try client.readAnswer().body == "GET [a/b] ")
        }
    }

    @Test(arguments: [
        ("X-Note", "a\r\nSet-Cookie: b"), ("X-Note", "a\nb"), ("X-Note", "a\u{0}b"), ("X Note", "a"), ("X:", "a"),
        ("", "a"), ("X\r\nY", "a"),
    ])
    func aHeaderThatCannotBeSentIsAFailure(_ name: String, _ value: String) throws {
        let application = TestApplication(responding: { request, exchange in
            let isBad = request.head.target.segments == ["bad"]
            exchange.send(
                Response(
                    status: 200,
                    headers: isBad ? HeaderFields([(name, value)]) : ["X-Good": "yes", "X-Empty": ""]
                )
            )
        })
        try withServer(application) { server in
            let client = try RawClient(server.address)
            try client.get("/bad")
            let answer = try client.readAnswer()
            #expect(answer.status == 500)
            #expect(answer.body == "failed")
            try client.get("/good")
            let good = try client.readAnswer()
            #expect(good.headers["x-good"] == "yes")
            #expect(good.headers["x-empty"] == nil)
        }
    }

    @Test(arguments: [-1, 0, 99, 100, 101, 199, 1_000, Int.max])
    func aStatusThatCannotBeSentIsAFailure(_ status: Int) throws {
        let application = TestApplication(responding: { _, exchange in exchange.send(Response(status: status)) })
        try withServer(application) { server in
            let client = try RawClient(server.address)
            try client.get("/")
            #expect(try client.readAnswer().status == 500)
        }
    }

    @Test func aLargeResponseArrivesWhole() throws {
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: 4 << 20)
        let application = TestApplication(responding: { _, exchange in
            exchange.send(
                Response(status: 200, headers: ["Content-Length": "1", "Transfer-Encoding": "chunked"], body: body)
            )
        })
        try withServer(application) { server in
            let client = try RawClient(server.address)
            try client.get("/")
            let answer = try client.readAnswer()
            #expect(answer.headers["content-length"] == "\(body.count)")
            #expect(answer.headers["transfer-encoding"] == nil)
            #expect(answer.body.utf8.count == body.count)
        }
    }

    private static let notHTTP = [
        "\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u{0}\u{0}\u{0}\r\n\r\n",
        "GET / HTTP/1.1\r\nbroken\r\n\r\n", "GET  HTTP/1.1\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "CONNECT host:80 HTTP/1.1\r\n\r\n", "GET /a%",
        "GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: 20_000) + "\r\n",
    ]

    @Test(arguments: notHTTP.indices)
    func whatIsNotHTTPDoesNoHarm(_ index: Int) throws {
        // What is cut off within its first line is only ended by the idle timeout.
        try withServer(configure: { $0.idleTimeoutSeconds = 1 }) { server in
            let client = try RawClient(server.address)
            try? client.send(Self.notHTTP[index])
            client.finishSending()
            let answer = try client.readToEnd()
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4") || answer.hasPrefix("HTTP/1.1 5"))
            let next = try RawClient(server.address)
            try next.get("/a")
            #expect(try next.readAnswer().status == 200)
        }
    }

}
