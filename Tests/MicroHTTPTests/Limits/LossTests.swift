import Foundation
import SocketTesting
import Testing

@testable import MicroHTTP

struct LossTests {
    /// Clients that behave as badly as they can, round after round, in a separate process so that its descriptors
    /// and its memory can be counted.
    @Test func badClientsLeaveNothingBehind() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let arrivals = Watched(0)
            let application = BadClients.application(counting: arrivals)
            var bytes: [Int] = []
            let configure: (inout ServerConfiguration) -> Void = {
                $0.streamHeartbeatSeconds = 1
                $0.connectionsPerAddress = 5_000
            }
            // The first round fills pools and caches and opens what the runtime opens once; after it nothing may be added.
            try withServer(application, configure: configure) { server in
                try BadClients.run(against: server.address, arrivals: arrivals)
                #expect(BadClients.waitUntilAllAreGone())
            }
            let outerDescriptors = try ProcessUse.descriptors()
            try withServer(application, configure: configure) { server in
                let descriptors = try ProcessUse.descriptors()
                for _ in 0..<3 {
                    try BadClients.run(against: server.address, arrivals: arrivals)
                    #expect(BadClients.waitUntilAllAreGone())
                    #expect(try ProcessUse.descriptors() == descriptors)
                    // A sanitizer has another allocator.
                    bytes.append(Sanitizer.isOn ? 0 : try #require(ProcessUse.allocatedBytes))
                }
            }
            #expect(try ProcessUse.descriptors() == outerDescriptors)
            print("allocated after each round: \(bytes)")
            #expect(try #require(bytes.last) - bytes[0] < 128 << 10)
        }
        print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    }
}

private enum BadClients {
    static func application(counting arrivals: Watched<Int>) -> TestApplication {
        let big = Response(status: 200, body: [UInt8](repeating: 0, count: 1 << 20))
        return TestApplication(responding: { request, exchange in
            arrivals.change { $0 += 1 }
            switch request.head.target.segments.first {
            case "wait": exchange.wake(after: .milliseconds(500)) { $0.send(.text(200, "late")) }
            case "stream": exchange.stream(headers: [:], heartbeat: [10]).write("first")
            case "big": exchange.send(big)
            default: exchange.send(.text(200, "ok"))
            }
        })
    }

    static func run(against address: BoundAddress, arrivals: Watched<Int>) throws {
        try pipeline(address)
        try sendTwoErrors(address)
        try resetWithinAnswers(address)
        try leaveWithinBodies(address)
        try drop("wait", 1_000, address, arrivals)
        try drop("stream", 1_000, address, arrivals)
    }

    static func waitUntilAllAreGone() -> Bool {
        let deadline = ContinuousClock.now + .seconds(30)
        let counts = [LiveObjects.connections, .flights, .exchanges, .streams]
        while !counts.allSatisfy({ $0.count == 0 }) {
            guard ContinuousClock.now < deadline else { return false }
            Thread.sleep(forTimeInterval: 0.01)
        }
        return true
    }

    /// Many requests at once on a connection; half of the clients stay for the answers.
    private static func pipeline(_ address: BoundAddress) throws {
        for number in 0..<100 {
            let client = try RawClient(address)
            try client.send(String(repeating: "GET /ok HTTP/1.1\r\nHost: h\r\n\r\n", count: 50))
            guard number.isMultiple(of: 2) else {
                client.reset()
                continue
            }
            for _ in 0..<50 {
                #expect(try client.readAnswer().body == "ok")
            }
        }
    }

    /// libmicrohttpd closes the connection and reports nothing.
    private static func sendTwoErrors(_ address: BoundAddress) throws {
        for _ in 0..<100 {
            let client = try RawClient(address)
            try client.send("GET / HTTP/1.1\r\nCookie: a=\"\r\n\r\n")
            #expect(try client.readToEnd().isEmpty)
        }
    }

    private static func resetWithinAnswers(_ address: BoundAddress) throws {
        for number in 0..<100 {
            let client = try RawClient(address, receiveBufferBytes: 4_096)
            try client.get("/big")
            if number.isMultiple(of: 2) {
                Thread.sleep(forTimeInterval: 0.001)
            }
            client.reset()
        }
    }

    private static func leaveWithinBodies(_ address: BoundAddress) throws {
        for number in 0..<100 {
            let client = try RawClient(address)
            try client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n\(number)")
            if number.isMultiple(of: 2) {
                client.reset()
            }
        }
    }

    private static func drop(_ target: String, _ count: Int, _ address: BoundAddress, _ arrivals: Watched<Int>) throws {
        let before = arrivals.read()
        var clients = try (0..<count).map { _ in try RawClient(address) }
        for client in clients {
            try client.get("/\(target)")
        }
        #expect(arrivals.wait { $0 >= before + count })
        clients.removeAll()
    }
}
