import MicroHTTP
import SocketTesting
import Testing

struct BodyTests {

    private let application = TestApplication(admitting: { head in
        head.target.segments == ["refused"] ? .refuse(.text(405, "refused")) : .accept(bodyLimitBytes: 10)
    })

    @Test(arguments: [0, 1, 9, 10, 11, 12, 100_000], [false, true])
    func bodiesAreTakenUpToTheLimit(_ size: Int, _ isChunked: Bool) throws {
        try withServer(application) { server in
            let client = try RawClient(server.address)
            let body = String(repeating: "x", count: size)
            if isChunked {
                try client.postChunked("/a", body, chunkBytes: max(1, size / 3))
            } else {
                try client.post("/a", body)
            }
            let answer = try client.readAnswer()
            #expect(answer.status == (size <= 10 ? 200 : 413))
            #expect(answer.body == (size <= 10 ? "POST [a] \(body)" : "over 10"))
            // The refused body was read to its end, so the connection is still good.
            try client.get("/next")
            #expect(try client.readAnswer().body == "GET [next] ")
        }
    }

    @Test func aBodyThatComesByteByByteIsTakenWhole() throws {
        try withServer(application) { server in
            let client = try RawClient(server.address)
            try client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n")
            for digit in 0..<10 {
                try client.send("\(digit)")
            }
            #expect(try client.readAnswer().body == "POST [a] 0123456789")
        }
    }

    @Test(arguments: [0, 1, 100_000], [false, true])
    func aRefusalFromTheHeadIsReadableAfterTheBody(_ size: Int, _ isChunked: Bool) throws {
        try withServer(application) { server in
            let client = try RawClient(server.address)
            let body = String(repeating: "x", count: size)
            if isChunked {
                try client.postChunked("/refused", body, chunkBytes: 1_000)
            } else {
                try client.post("/refused", body)
            }
            let answer = try client.readAnswer()
            #expect(answer.status == 405)
            #expect(answer.body == "refused")
            try client.get("/next")
            #expect(try client.readAnswer().status == 200)
        }
    }

    @Test func aBodyTooLongToDropIsRefusedAtOnce() throws {
        try withServer(application, configure: { $0.bodyDrainLimitBytes = 1_000 }) { server in
            let client = try RawClient(server.address)
            try client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 1001\r\n\r\n")
            #expect(try client.readAnswer().status == 413)
            #expect(try client.readToEnd().isEmpty)
            let other = try RawClient(server.address)
            try other.post("/a", String(repeating: "x", count: 1_000))
            #expect(try other.readAnswer().status == 413)
        }
    }

    @Test func anEndlessChunkedBodyIsCutOff() throws {
        try withServer(application, configure: { $0.bodyDrainLimitBytes = 1_000 }) { server in
            let client = try RawClient(server.address)
            try client.send("POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "400\r\n" + String(repeating: "x", count: 1_024) + "\r\n"
            #expect(throws: (any Error).self) {
                for _ in 0..<100_000 {
                    try client.send(chunk)
                }
            }
            #expect(try client.readToEnd().isEmpty)
        }
    }

    @Test(arguments: [
        "Content-Length: 3\r\nTransfer-Encoding: chunked", "Transfer-Encoding: gzip",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Content-Length: 3\r\nContent-Length: 4",
    ])
    func aBodyOfUnclearLengthIsRefusedAndTheConnectionClosed(_ framing: String) throws {
        try withServer(application) { server in
            let client = try RawClient(server.address)
            try client.send("POST /a HTTP/1.1\r\nHost: h\r\n\(framing)\r\n\r\n")
            let answer = try client.readAnswer()
            #expect(answer.status == 400)
            #expect(answer.body == "malformed: the length of the body is ambiguous")
            #expect(try client.readToEnd().isEmpty)
        }
    }

    @Test func aClientThatLeavesWithinItsBodyIsForgotten() throws {
        try withServer(application) { server in
            let client = try RawClient(server.address)
            try client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\na")
            client.reset()
            // The stop waits for active requests, so it is only quick when none was left behind.
            let start = ContinuousClock.now
            server.stop(grace: .seconds(40))
            #expect(ContinuousClock.now - start < .seconds(20))
        }
    }

    /// Of a body that turns out to be too long, as many bytes are dropped as the limit allows beyond those that the application
    /// would have accepted.
    @Test(arguments: [(1_010, 413), (1_011, nil as Int?)])
    func theAcceptedBytesOfALongBodyAreNotCountedAsDropped(_ size: Int, _ status: Int?) throws {
        try withServer(application, configure: { $0.bodyDrainLimitBytes = 1_000 }) { server in
            let client = try RawClient(server.address)
            try client.postChunked("/a", String(repeating: "x", count: size), chunkBytes: 500)
            #expect((try? client.readAnswer().status) == status)
        }
    }
}
