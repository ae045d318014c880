import MicroHTTP
import SocketTesting
import Testing

struct ReportTests {
    @Test func everyAnswerGetsTheFieldsOfTheApplication() throws {
        var application = Streams().application
        application.admitting = { head in
            head.target.path == "/refused" ? .refuse(.text(403, "no")) : .accept(bodyLimitBytes: 1)
        }
        application.completing = { headers, id, head in headers.set("X-Request-Id", "\(id)") }
        let begun = Watched<[String]>([])
        application.beginning = { id in begun.change { $0.append("\(id)") } }
        try withServer(application) { server in
            var ids: [String] = []
            for target in ["/now", "/refused", "/stream", "/%zz"] {
                let client = try RawClient(server.address)
                try client.get(target)
                let id = try #require(client.readAnswer().headers["x-request-id"])
                #expect(id.count == 32 && id.allSatisfy { $0.isHexDigit && !$0.isUppercase }, "\(target)")
                ids.append(id)
            }
            #expect(Set(ids).count == 4)
            #expect(begun.read() == ids)
        }
    }

    @Test func everyRequestIsReportedOnceWhenItIsOver() throws {
        let reports = Watched<[RequestReport]>([])
        var streams = Streams()
        streams.closing = ""
        var application = streams.application
        application.ending = { report in reports.change { $0.append(report) } }
        let begun = Watched<[RequestID]>([])
        application.beginning = { id in begun.change { $0.append(id) } }
        try withServer(application) { server in
            let client = try RawClient(server.address)
            try client.post("/now", "abc")
            #expect(try client.readAnswer().status == 200)
            #expect(reports.wait { $0.count == 1 })
            let whole = try #require(reports.read().first)
            #expect(whole.status == 200 && whole.isComplete && !whole.isStream)
            #expect(whole.receivedBytes == 3 && whole.head?.target.path == "/now")
            #expect(begun.read() == [whole.id] && whole.durationNanoseconds > 0)

            try client.get("/stream")
            let stream = try #require(streams.last(of: 1))
            stream.write("x")
            #expect(try client.readHead().hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(reports.read().count == 1)
            client.reset()
            #expect(
                reports.wait {
                    stream.write("more")
                    return $0.count == 2
                }
            )
            let broken = try #require(reports.read().last)
            #expect(broken.status == 200 && broken.isStream && !broken.isComplete)
        }
    }

    @Test func aRequestWithoutAnAnswerIsReportedWithoutAStatus() throws {
        let reports = Watched<[RequestReport]>([])
        let isAdmitted = Watched(false)
        let application = TestApplication(
            admitting: { _ in
                isAdmitted.change { $0 = true }
                return .accept(bodyLimitBytes: 10)
            },
            ending: { report in reports.change { $0.append(report) } }
        )
        try withServer(application) { server in
            let client = try RawClient(server.address)
            try client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab")
            #expect(isAdmitted.wait { $0 })
            client.reset()
            #expect(reports.wait { $0.count == 1 })
            let report = try #require(reports.read().first)
            #expect(report.status == nil && !report.isComplete)
        }
    }

    /// A connection uses the same memory for its next request.
    @Test func aStreamHasNoLabelOfTheAnswerBeforeIt() throws {
        let reports = Watched<[RequestReport]>([])
        let application = TestApplication(
            responding: { request, exchange in
                guard request.head.target.path == "/answer" else { return exchange.stream(headers: [:]).end() }
                var response = Response.text(500, "no")
                (response.label, response.remark) = (7, "why")
                exchange.send(response)
            },
            ending: { report in reports.change { $0.append(report) } }
        )
        try withServer(application) { server in
            let client = try RawClient(server.address)
            try client.get("/answer")
            #expect(try client.readAnswer().status == 500)
            try client.get("/stream")
            #expect(try client.readWholeAnswer().status == 200)
            #expect(reports.wait { $0.count == 2 })
            #expect(reports.read().map(\.answerLabel) == [7, 0])
            #expect(reports.read().map(\.remark) == ["why", nil])
        }
    }
}
