import Foundation
import MicroHTTP
import SocketTesting
import Testing

@Suite(.serialized) struct StreamTests {
    private let streams = Streams()

    @Test func theHeadIsSentBeforeAnythingIsWritten() throws {
        // No heartbeat comes to its help while the client waits.
        try withServer(streams.application, configure: { $0.streamHeartbeatSeconds = 600 }) { server in
            let client = try RawClient(server.address)
            try client.get("/")
            let answer = try client.readAnswer()
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "text/event-stream")
            #expect(answer.headers["transfer-encoding"] == "chunked")
        }
    }

    @Test func everyWriteArrivesAtOnce() throws {
        try withServer(streams.application) { server in
            let client = try RawClient(server.address)
            try client.get("/")
            _ = try client.readAnswer()
            let stream = try #require(streams.last(of: 1))
            var times: [Duration] = []
            for number in 0..<200 {
                let start = ContinuousClock.now
                #expect(stream.write("data: \(number)\n\n"))
                #expect(try client.readChunk() == "data: \(number)\n\n")
                times.append(ContinuousClock.now - start)
            }
            // Were each held back for more bytes to come, all but the first few would take 40 milliseconds; of a busy
            // machine that is so of some.
            #expect(times.sorted()[times.count / 4] < .milliseconds(35))
            stream.end()
            #expect(try client.readChunk() == "")
            #expect(streams.ends.wait { $0 == [.ended] })
            #expect(!stream.write("late"))
            #expect(stream.isOver)
            try client.get("/now")
            #expect(try client.readAnswer().body == "now")
        }
    }

    @Test func whatIsWrittenAndEndedWithinTheCallArrivesWhole() throws {
        let application = TestApplication(responding: { _, exchange in
            let stream = exchange.stream(status: 201, headers: ["X-One": "1"])
            stream.write("one ")
            stream.write([])
            stream.write("two")
            stream.end()
        })
        try withServer(application) { server in
            let client = try RawClient(server.address)
            for _ in 0..<10 {
                try client.get("/")
                let answer = try client.readAnswer()
                #expect(answer.status == 201)
                #expect(answer.headers["x-one"] == "1")
                #expect(try client.readChunks() == ("one two", true))
            }
        }
    }

    @Test func aRequestThatWaitedMayBeAnsweredWithAStream() throws {
        let waiters = Waiters()
        try withServer(waiters.application) { server in
            let client = try RawClient(server.address)
            try client.get("/wait")
            #expect(waiters.wait(for: 1))
            let stream = try #require(waiters.take().first).stream(headers: [:])
            stream.write("late")
            #expect(try client.readAnswer().status == 200)
            #expect(try client.readChunk() == "late")
        }
    }

    @Test func threadsThatWriteAtOnceLoseNothing() throws {
        try withServer(streams.application, configure: { $0.streamBufferBytes = 16 << 20 }) { server in
            let client = try RawClient(server.address)
            try client.get("/")
            let stream = try #require(streams.last(of: 1))
            let writers = (0..<4).map { writer in
                inBackground {
                    for number in 0..<5_000 {
                        stream.write("\(writer) \(number)\n")
                    }
                }
            }
            let ending = inBackground {
                _ = writers.allSatisfy { writer in writer.wait { $0 } }
                stream.end()
            }
            _ = try client.readAnswer()
            let (body, isComplete) = try client.readChunks()
            #expect(isComplete)
            #expect(ending.wait { $0 })
            let lines = body.split(separator: "\n")
            for writer in 0..<4 {
                let own = lines.filter { $0.hasPrefix("\(writer) ") }
                #expect(own == (0..<5_000).map { Substring("\(writer) \($0)") })
            }
        }
    }

    @Test func aStreamOfManyMegabytesFlows() throws {
        let application = TestApplication(responding: { _, exchange in
            let stream = exchange.stream(headers: [:])
            let isDone = inBackground {
                for number in 0..<800 {
                    stream.write([UInt8](repeating: UInt8(ascii: "a") + UInt8(number % 26), count: 10_000))
                }
                stream.end()
            }
            _ = isDone
        })
        try withServer(application, configure: { $0.streamBufferBytes = 16 << 20 }) { server in
            let client = try RawClient(server.address)
            try client.get("/")
            _ = try client.readAnswer()
            let (body, isComplete) = try client.readChunks()
            #expect(isComplete)
            #expect(body.utf8.count == 8_000_000)
            #expect(body.utf8.enumerated().allSatisfy { $1 == UInt8(ascii: "a") + UInt8($0 / 10_000 % 26) })
        }
    }

    @Test func headGetsTheHeadAlone() throws {
        try withServer(streams.application) { server in
            let client = try RawClient(server.address)
            try client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
            let answer = try client.readAnswer(toHead: true)
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "text/event-stream")
            #expect(streams.ends.wait { $0 == [.ended] })
            #expect(streams.last(of: 1)?.write("no client reads this") == false)
            // Nothing may follow the head, where the client expects the next response.
            #expect(try client.readToEnd().isEmpty)
        }
    }

    @Test(arguments: ["", "Connection: keep-alive\r\n"])
    func anOldClientsBodyEndsWithItsConnection(_ extra: String) throws {
        try withServer(streams.application) { server in
            let client = try RawClient(server.address)
            try client.send("GET / HTTP/1.0\r\n\(extra)\r\n")
            let stream = try #require(streams.last(of: 1))
            let answer = try client.readAnswer()
            #expect(answer.status == 200)
            #expect(answer.headers["transfer-encoding"] == nil)
            #expect(answer.headers["content-length"] == nil)
            stream.write("one ")
            Thread.sleep(forTimeInterval: 0.05)
            stream.write("two" + String(repeating: "!", count: 10_000))
            stream.end()
            #expect(try client.readToEnd() == "one two" + String(repeating: "!", count: 10_000))
            #expect(streams.ends.wait { $0 == [.ended] })
        }
    }

    @Test func requestsBehindAStreamWaitForItsEnd() throws {
        try withServer(streams.application) { server in
            let client = try RawClient(server.address)
            try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET /now HTTP/1.1\r\nHost: h\r\n\r\n")
            let stream = try #require(streams.last(of: 1))
            _ = try client.readAnswer()
            stream.write("one")
            #expect(try client.readChunk() == "one")
            stream.end()
            #expect(try client.readChunk() == "")
            #expect(try client.readAnswer().body == "now")
        }
    }

    @Test func wakesComeWhileTheStreamLives() throws {
        let (ticks, hasEnded) = (Watched(0), Watched(false))
        let application = TestApplication(responding: { _, exchange in
            @Sendable func tick(_ stream: BodyStream) {
                ticks.change { $0 += 1 }
                stream.write("tick\n")
                stream.wake(after: .milliseconds(5), tick)
            }
            tick(exchange.stream(headers: [:], onEnd: { _ in hasEnded.change { $0 = true } }))
        })
        try withServer(application) { server in
            let client = try RawClient(server.address)
            try client.get("/")
            _ = try client.readAnswer()
            for _ in 0..<10 {
                #expect(try client.readChunk() == "tick\n")
            }
            client.reset()
            // The next tick or the one after it meets a connection that is gone, and there is none after that.
            #expect(hasEnded.wait { $0 })
            let count = ticks.read()
            Thread.sleep(forTimeInterval: 0.2)
            #expect(ticks.read() == count)
        }
    }

    /// A part that is made at once is written in the call that says that the former one was taken.
    @Test func whatIsWrittenWhenTheRestWasTakenArrivesInOrder() throws {
        let application = TestApplication(responding: { _, exchange in
            let stream = exchange.stream(headers: [:])
            let count = Watched(0)
            stream.whenTaken { [weak stream] in
                let number = count.change { count in
                    count += 1
                    return count
                }
                if number < 500 { stream?.write("\(number) ") } else { stream?.end(with: Array("end".utf8)) }
            }
            stream.write("0 ")
        })
        try withServer(application) { server in
            let client = try RawClient(server.address)
            try client.get("/")
            let body = try client.readWholeAnswer().body
            #expect(body == (0..<500).map { "\($0) " }.joined() + "end")
        }
    }
}
