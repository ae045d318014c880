import Foundation
import SocketTesting
import Testing

/// Clients that ask for long answers and do not read them.
struct UnreadResponseTests {
    @Test func framesThatAreNotReadCostOnePartOfThem() throws {
        let server = try RunningServer(environment: ["DECKD_LIMITS_IDLE_TIMEOUT_SECONDS": "3"])
        let port = try server.port()
        let idle = server.socketCount
        let sessions = try (0..<12).map { _ in try AttackClient.begin(LargeSession.request, port: port) }
        #expect(server.waitForSockets { $0 <= idle })
        let before = server.residentBytes
        // Each would be 300 MB.
        var clients: [RawClient] = []
        for session in sessions {
            let client = try RawClient(port: port, receiveBufferBytes: 4_096)
            try client.send(
                "GET \(session)/frames?from=0&to=9983&fps=60&include=data HTTP/1.1\r\nHost: localhost\r\n\r\n"
            )
            clients.append(client)
        }
        for client in clients { #expect(try client.readHead().hasPrefix("HTTP/1.1 200 ")) }
        let added = server.settledResidentBytes() - before
        #expect(server.socketCount >= idle + clients.count)
        print("12 answers that are not read take \(added) bytes")
        #expect(Sanitizer.isOn || added < 64 << 20)
        // They are cut off, and another client is served meanwhile.
        #expect(try AttackClient(port: port).get("/livez") == 200)
        #expect(server.waitForSockets { $0 <= idle })
        #expect(server.stop(SIGTERM) == .exit(0))
    }

    /// Each asks for 600 frames of the sample deck, which are 500 kB. A session can pay for three of them.
    @Test func manyAnswersThatAreNotReadCostOnePartEach() throws {
        // The first clients are still connected when the last one has its part.
        let server = try RunningServer(environment: ["DECKD_LIMITS_IDLE_TIMEOUT_SECONDS": "600"])
        let port = try server.port()
        let begin = #"{"deck":"sample","clock":"manual","viewport":{"width":300,"height":400}}"#
        let sessions = try (0..<200).map { _ in try AttackClient.begin(begin, port: port) }
        let before = server.residentBytes
        var clients: [RawClient] = []
        for number in 0..<600 {
            // A debug build takes ten seconds to make the first parts, and longer beside other tests.
            let client = RawClient(over: try TestSocket(port: port, receiveBufferBytes: 4_096, secondsToWait: 240))
            try client.send(
                "GET \(sessions[number / 3])/frames?from=0&to=9983&fps=60 HTTP/1.1\r\nHost: localhost\r\n\r\n"
            )
            clients.append(client)
        }
        #expect(try AttackClient(port: port).get("/livez") == 200)
        for client in clients { try #require(try client.readHead().hasPrefix("HTTP/1.1 200 ")) }
        let added = server.settledResidentBytes() - before
        #expect(server.socketCount > clients.count)
        print("600 answers that are not read take \(added) bytes")
        // A part is 64 KiB, and a connection has 32 KiB.
        #expect(Sanitizer.isOn || added < 100 << 20)
        #expect(try AttackClient(port: port).get("/livez") == 200)
        clients.removeAll()
        #expect(server.stop(SIGTERM) == .exit(0))
    }

    @Test func framesThatAreReadAreComplete() throws {
        let server = try RunningServer()
        let port = try server.port()
        let session = try AttackClient.begin(LargeSession.request, port: port)
        let client = try RawClient(port: port)
        try client.send(
            "GET \(session)/frames?from=0&to=500&fps=60&include=data HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        )
        let text = try client.readToEnd()
        #expect(text.hasPrefix("HTTP/1.1 200"))
        #expect(text.ranges(of: "\"settlesAt\"").count == 31)
        #expect(text.hasSuffix("0\r\n\r\n"))
    }

    @Test func aStreamWhoseFrameIsLongerThanItsBufferHasFrames() throws {
        let server = try RunningServer()
        let port = try server.port()
        let session = try AttackClient.begin(LargeSession.request, port: port)
        let stream = try RawClient(port: port)
        try stream.send("GET \(session)/stream?include=data HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let text = try stream.read(until: "\n\n\r\n")
        #expect(text.utf8.count > 500_000)
        #expect(
            try AttackClient(port: port).post(
                #"{"type":"swipe","direction":"left","at":1}"#,
                to: "\(session)/events?frame=none"
            ) == 200
        )
        _ = try stream.read(until: #""version":1"#)
    }

    /// A reader that takes nothing for a while gets the frame as it is then, and not all frames that there were.
    @Test func aSlowReaderGetsTheNewestFrame() throws {
        let server = try RunningServer()
        let port = try server.port()
        let session = try AttackClient.begin(LargeSession.request, port: port)
        let stream = try RawClient(port: port, receiveBufferBytes: 4_096)
        try stream.send("GET \(session)/stream?include=data&fps=60 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let client = try AttackClient(port: port)
        for time in 1...40 {
            let event = #"{"type":"swipe","direction":"\#(time.isMultiple(of: 2) ? "left" : "right")","at":\#(time)}"#
            let undo = #"{"type":"revert","at":\#(time)}"#
            #expect(try client.post(#"{"events":[\#(event),\#(undo)]}"#, to: "\(session)/events?frame=none") == 200)
            usleep(20_000)
        }
        let text = try stream.read(until: #""version":80"#)
        let frames = text.ranges(of: "event: frame").count
        print("\(frames) frames of 41")
        #expect(frames < 20)
        #expect(text.ranges(of: "event: notification").count > 40)
    }

    @Test func aLongLogIsSentInPartsAndIsWhole() throws {
        let server = try RunningServer()
        let port = try server.port()
        let session = try AttackClient.begin(
            #"{"deck":{"count":9},"clock":"manual","record":true,"viewport":{"width":300,"height":400}}"#,
            port: port
        )
        let client = try AttackClient(port: port)
        for time in 1...5 {
            let ticks = Array(repeating: #"{"type":"tick","at":\#(time)}"#, count: 250).joined(separator: ",")
            #expect(try client.post(#"{"events":[\#(ticks)]}"#, to: "\(session)/events?frame=none") == 200)
        }
        let reader = try RawClient(port: port)
        // The first line, a checkpoint and the events.
        for (after, count) in [(0, 1252), (100, 1152), (1251, 1), (1252, 0)] {
            try reader.send("GET \(session)/events?after=\(after) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let answer = try reader.readWholeAnswer()
            #expect(answer.status == 200)
            #expect((answer.headers["transfer-encoding"] == "chunked") == (count > 512))
            #expect(answer.body.ranges(of: "}\n").count == count)
        }
    }
}
