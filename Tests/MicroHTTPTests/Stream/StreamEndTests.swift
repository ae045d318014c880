import Foundation
import MicroHTTP
import SocketTesting
import Testing

@Suite(.serialized) struct StreamEndTests {
    private let streams = Streams()

    @Test func aClientThatFallsBehindIsCutOff() throws {
        try withServer(streams.application, configure: { $0.streamBufferBytes = 64 << 10 }) { server in
            let slow = try RawClient(server.address, receiveBufferBytes: 4_096)
            try slow.get("/")
            let stream = try #require(streams.last(of: 1))
            let event = [UInt8](repeating: UInt8(ascii: "x"), count: 32 << 10)
            let deadline = ContinuousClock.now + .seconds(10)
            // Slowly enough for the worker to keep up, so that it is the full socket it finds and not the full buffer.
            while stream.write(event), ContinuousClock.now < deadline {
                Thread.sleep(forTimeInterval: 0.002)
            }
            #expect(streams.ends.wait { $0 == [.overflow] })
            #expect(!stream.write(event))
            _ = try slow.readAnswer()
            #expect(try !slow.readChunks().isComplete)
            let other = try RawClient(server.address)
            try other.get("/now")
            #expect(try other.readAnswer().body == "now")
        }
    }

    @Test func whatIsWrittenWhenNothingWaitsMayBeLongerThanTheBuffer() throws {
        try withServer(streams.application, configure: { $0.streamBufferBytes = 1_024 }) { server in
            let client = try RawClient(server.address, receiveBufferBytes: 4_096)
            try client.get("/")
            _ = try client.readAnswer()
            let stream = try #require(streams.last(of: 1))
            let taken = Watched(0)
            stream.whenTaken { taken.change { $0 += 1 } }
            let length = 8 << 20
            #expect(stream.write([UInt8](repeating: 0, count: length)))
            #expect(!stream.isTaken)
            var received = 0
            while received < length { received += try #require(try client.readChunk()).utf8.count }
            #expect(received == length)
            #expect(taken.wait { $0 == 1 })
            #expect(stream.isTaken)
            #expect(stream.write([UInt8](repeating: 0, count: length)))
            // Something waits now.
            #expect(!stream.write([UInt8](repeating: 0, count: 1_025)))
            #expect(streams.ends.wait { $0 == [.overflow] })
            #expect(taken.read() == 1)
        }
    }

    @Test func responsesThatAreNotReadHaveABudgetTogether() throws {
        let application = TestApplication(responding: { _, exchange in
            exchange.send(Response(status: 200, body: [UInt8](repeating: 0, count: 8 << 20)))
        })
        try withServer(application, configure: { $0.responseBytes = 12 << 20 }) { server in
            func statusLine(of client: RawClient) throws -> String {
                try client.get("/")
                return String(try client.readHead().prefix { $0 != "\r\n" })
            }
            let slow = try RawClient(server.address, receiveBufferBytes: 4_096)
            #expect(try statusLine(of: slow) == "HTTP/1.1 200 OK")
            #expect(try statusLine(of: RawClient(server.address)) == "HTTP/1.1 503 Service Unavailable")
            // When it has gone there is room again.
            slow.reset()
            let deadline = ContinuousClock.now + .seconds(20)
            var last = ""
            while last != "HTTP/1.1 200 OK", ContinuousClock.now < deadline {
                last = try statusLine(of: RawClient(server.address))
            }
            #expect(last == "HTTP/1.1 200 OK")
        }
    }

    /// Opens streams, and has all clients but one leave, whose stream is checked before and after that.
    private func leave(
        _ count: Int,
        byReset: Bool,
        heartbeatSeconds: Int,
        _ checkOther: (RawClient) throws -> Void
    ) throws {
        try withServer(streams.application, configure: { $0.streamHeartbeatSeconds = heartbeatSeconds }) { server in
            var clients = try (0...count).map { _ in try RawClient(server.address) }
            for client in clients {
                try client.get("/")
            }
            #expect(streams.last(of: count + 1) != nil)
            let stays = clients.removeFirst()
            _ = try stays.readAnswer()
            try checkOther(stays)
            if byReset {
                clients.forEach { $0.reset() }
            }
            clients = []
            #expect(streams.ends.wait { $0.count == count })
            #expect(Set(streams.ends.read()) == [.clientLeft])
            try checkOther(stays)
        }
    }

    /// The end of a client is noticed without a heartbeat.
    @Test(arguments: [false, true])
    func aStreamEndsAtOnceWhenItsClientLeaves(_ byReset: Bool) throws {
        try leave(99, byReset: byReset, heartbeatSeconds: 3600) { #expect($0.staysOpenAndSilent(milliseconds: 100)) }
    }

    @Test(arguments: [false, true])
    func aClientGetsHeartbeatsWhenOthersLeave(_ byReset: Bool) throws {
        try leave(9, byReset: byReset, heartbeatSeconds: 1) { client in
            let heartbeat = try client.readChunk()
            #expect(heartbeat == ":\n")
        }
    }

    @Test func aClientThatSendsNothingMoreStillReadsItsStream() throws {
        try withServer(streams.application, configure: { $0.streamHeartbeatSeconds = 3600 }) { server in
            let client = try RawClient(server.address)
            try client.get("/")
            _ = try client.readAnswer()
            let stream = try #require(streams.last(of: 1))
            client.finishSending()
            #expect(try client.readChunk() == ":\n")
            stream.write("more")
            #expect(try client.readChunk() == "more")
            // The heartbeats that check whether it is still there.
            for _ in 0..<2 { #expect(try client.readChunk() == ":\n") }
            #expect(!stream.isOver)
        }
    }

    /// A full close after the half of it is not reported, so it is noticed with a heartbeat.
    @Test func aStreamEndsSoonWhenAClientThatSendsNothingMoreLeaves() throws {
        try withServer(streams.application, configure: { $0.streamHeartbeatSeconds = 3600 }) { server in
            var clients = try (0..<9).map { _ in try RawClient(server.address) }
            for client in clients {
                try client.get("/")
                _ = try client.readAnswer()
                client.finishSending()
                #expect(try client.readChunk() == ":\n")
            }
            #expect(streams.ends.read().isEmpty)
            clients = []
            #expect(streams.ends.wait { $0.count == 9 })
            #expect(Set(streams.ends.read()) == [.clientLeft])
        }
    }

    @Test func heartbeatsOutlastTheIdleTimeout() throws {
        try withServer(
            streams.application,
            configure: {
                $0.idleTimeoutSeconds = 1
                $0.requestTimeoutSeconds = 1
                $0.streamHeartbeatSeconds = 2
            },
            { server in
                let client = try RawClient(server.address)
                try client.get("/")
                _ = try client.readAnswer()
                for _ in 0..<2 {
                    #expect(try client.readChunk() == ":\n")
                }
                #expect(streams.last(of: 1)?.isOver == false)
            }
        )
    }

    @Test func theStopEndsStreamsPolitely() throws {
        try withServer(streams.application) { server in
            let clients = try (0..<50).map { _ in try RawClient(server.address) }
            for client in clients {
                try client.get("/")
            }
            #expect(streams.last(of: 50) != nil)
            for stream in streams.opened.read() {
                stream.write("first\n")
            }
            let start = ContinuousClock.now
            server.stop(grace: .seconds(30))
            #expect(ContinuousClock.now - start < .seconds(20))
            for client in clients {
                _ = try client.readAnswer()
                let (body, isComplete) = try client.readChunks()
                #expect(body == "first\nclosing\n")
                #expect(isComplete)
                #expect(try client.readToEnd().isEmpty)
            }
            #expect(streams.ends.read() == Array(repeating: .stopping, count: 50))
        }
    }

    /// The last part of a body ends it. When that part is taken, no other part may be asked for.
    @Test func theLastBytesAndTheEndAreOneStep() throws {
        let calls = Watched<[Bool]>([])
        let application = TestApplication(responding: { _, exchange in
            let stream = exchange.stream(headers: [:])
            stream.whenTaken {
                let isOver = stream.isOver
                calls.change { $0.append(isOver) }
                if !isOver { Thread.detachNewThread { stream.end(with: Array("last".utf8)) } }
            }
            stream.write("first ")
        })
        try withServer(application) { server in
            let client = try RawClient(server.address)
            let rounds = 500
            for _ in 0..<rounds {
                try client.get("/")
                #expect(try client.readWholeAnswer().body == "first last")
            }
            #expect(calls.read() == (0..<rounds).flatMap { _ in [false, true] })
        }
    }

    /// Begins a body that only the application can end.
    private func withBody(_ test: (Server, RawClient, BodyStream, Streams) throws -> Void) throws {
        var streams = Streams()
        streams.closing = nil
        try withServer(streams.application) { server in
            let client = try RawClient(server.address)
            try client.get("/")
            try test(server, client, try #require(streams.last(of: 1)), streams)
        }
    }

    @Test func aBodyWithAnEndIsFinishedWithinTheGrace() throws {
        try withBody { server, client, stream, streams in
            let isStopped = inBackground { server.stop(grace: .seconds(3600)) }
            while (try? RawClient(server.address)) != nil {}
            #expect(stream.write("part, "))
            stream.end(with: Array("end".utf8))
            _ = try client.readAnswer()
            #expect(try client.readChunks() == ("part, end", true))
            #expect(isStopped.wait { $0 })
            #expect(streams.ends.read() == [.ended])
        }
    }

    @Test func aBodyWithoutItsEndIsNotCompleteAfterTheStop() throws {
        try withBody { server, client, stream, streams in
            #expect(stream.write("part, "))
            server.stop(grace: .milliseconds(100))
            #expect(!stream.write("more"))
            _ = try client.readAnswer()
            let (body, isComplete) = try client.readChunks()
            #expect(body == "part, ")
            #expect(!isComplete)
            #expect(streams.ends.read() == [.stopping])
        }
    }

    @Test func aClientThatTakesNothingDelaysTheStopByTheGraceOnly() throws {
        try withServer(streams.application, configure: { $0.streamBufferBytes = 16 << 20 }) { server in
            let slow = try RawClient(server.address, receiveBufferBytes: 4_096)
            try slow.get("/")
            let stream = try #require(streams.last(of: 1))
            stream.write([UInt8](repeating: 0, count: 16 << 20))
            let start = ContinuousClock.now
            server.stop(grace: .milliseconds(200))
            #expect(ContinuousClock.now - start < .seconds(20))
            #expect(streams.ends.read() == [.stopping])
        }
    }

    @Test func aStreamBegunWhileTheServerStopsEndsAtOnce() throws {
        let waiters = Waiters()
        try withServer(waiters.application) { server in
            let client = try RawClient(server.address)
            try client.get("/wait")
            #expect(waiters.wait(for: 1))
            let isStopped = inBackground { server.stop(grace: .seconds(3600)) }
            while (try? RawClient(server.address)) != nil {}
            let stream = try #require(waiters.take().first).stream(headers: [:], closing: Array("bye".utf8))
            #expect(isStopped.wait { $0 })
            #expect(stream.isOver)
            #expect(try client.readAnswer().headers["connection"] == "close")
            #expect(try client.readChunks() == ("bye", true))
        }
    }

    @Test func aStreamThatCannotBeginSaysSo() throws {
        let ends = Watched<[String]>([])
        let application = TestApplication(responding: { request, exchange in
            let isBad = request.head.target.segments == ["bad"]
            if !isBad {
                exchange.send(.text(200, "first"))
            }
            let stream = exchange.stream(headers: isBad ? ["X-Bad": "a\nb"] : [:]) { end in
                ends.change { $0.append("\(end)") }
            }
            stream.write("lost")
        })
        try withServer(application) { server in
            let client = try RawClient(server.address)
            try client.get("/bad")
            #expect(try client.readAnswer().body == "failed")
            #expect(ends.wait { $0 == ["notBegun"] })
            try client.get("/good")
            #expect(try client.readAnswer().body == "first")
            #expect(ends.wait { $0 == ["notBegun", "notBegun"] })
        }
    }

    @Test func aStreamAfterTheServerHasStoppedIsOver() throws {
        let waiters = Waiters()
        let exchange = try withServer(waiters.application) { server in
            let client = try RawClient(server.address)
            try client.get("/wait")
            #expect(waiters.wait(for: 1))
            return try #require(waiters.take().first)
        }
        let ends = Watched<[BodyStream.End]>([])
        let stream = exchange.stream(headers: [:]) { end in ends.change { $0.append(end) } }
        #expect(ends.read() == [.notBegun])
        #expect(!stream.write("too late"))
        stream.end()
        stream.wake(after: .zero) { _ in Issue.record("a worker that has ended woke a stream") }
    }

    @Test func everyStreamEndsOnce() throws {
        let streams = Streams()
        let total = 1_000
        try withServer(
            streams.application,
            configure: {
                $0.streamBufferBytes = 4_096
                $0.streamHeartbeatSeconds = 1
            },
            { server in
                var kept: [RawClient] = []
                for number in 0..<total {
                    let client = try RawClient(server.address)
                    try client.get("/")
                    switch number % 4 {
                    case 0: client.reset()
                    case 1: break
                    default: kept.append(client)
                    }
                }
                #expect(streams.last(of: total * 3 / 4) != nil)
                for (number, stream) in streams.opened.read().enumerated() {
                    switch number % 5 {
                    case 0: stream.end()
                    case 1: stream.cutOff()
                    default: stream.write("event\n")
                    }
                }
                server.stop(grace: .seconds(1))
                // Only now, so that it is the server that ends these.
                kept.removeAll()
            }
        )
        // A client that was reset before its request was read never had a stream.
        #expect(streams.ends.read().count == streams.opened.read().count)
        #expect(Set(streams.ends.read()).isSuperset(of: [.ended, .cutOff, .stopping]))
    }
}
