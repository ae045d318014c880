import Foundation
import MicroHTTP
import SocketTesting
import Testing

/// Clients that leave while their requests wait.
@Suite(.serialized) struct LeavingTests {
    private let waiters = Waiters()
    private let ends = Watched(0)

    /// Requests that wait until the test takes them.
    private func waiting(_ clients: [RawClient]) throws -> [Exchange] {
        for client in clients { try client.get("/wait") }
        #expect(waiters.wait(for: clients.count))
        let exchanges = waiters.take()
        for exchange in exchanges { exchange.whenOver { [ends] in ends.change { $0 += 1 } } }
        return exchanges
    }

    /// They leave before and after the server watches them.
    @Test(arguments: [0, 1.5], [false, true])
    func aWaitingRequestIsOverWhenItsClientLeaves(after seconds: Double, byReset: Bool) throws {
        try withServer(waiters.application, configure: { $0.connectionsPerAddress = 10 }) { server in
            var clients = try (0..<10).map { _ in try RawClient(server.address) }
            let exchanges = try waiting(clients)
            Thread.sleep(forTimeInterval: seconds)
            let stays = clients.removeFirst()
            if byReset { clients.forEach { $0.reset() } }
            clients = []
            #expect(ends.wait { $0 == 9 })
            // There is room for other connections of the address.
            #expect(Self.isServed(at: server.address))
            for exchange in exchanges { exchange.send(.text(200, "late")) }
            #expect(try stays.readAnswer().body == "late")
        }
    }

    private static func isServed(at address: BoundAddress) -> Bool {
        let deadline = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < deadline {
            let client = try? RawClient(address)
            try? client?.get("/now")
            if (try? client?.readAnswer().status) == 200 { return true }
        }
        return false
    }

    /// Its connection is watched already, and the end comes with the request.
    @Test func aClientLeavesWithItsNextRequest() throws {
        try withServer(waiters.application) { server in
            var clients = try (0..<20).map { _ in try RawClient(server.address) }
            let exchanges = try waiting(clients)
            Thread.sleep(forTimeInterval: 1.5)
            for exchange in exchanges { exchange.send(.text(200, "first")) }
            for client in clients { #expect(try client.readAnswer().body == "first") }
            for client in clients {
                try client.get("/wait")
                client.finishSending()
            }
            clients = []
            #expect(waiters.wait(for: 20))
            for exchange in waiters.take() { exchange.whenOver { [ends] in ends.change { $0 += 1 } } }
            #expect(ends.wait { $0 == 40 })
        }
    }

    @Test func aClientThatSendsNothingMoreIsAnsweredAfterInterimResponses() throws {
        try withServer(waiters.application) { server in
            let client = try RawClient(server.address)
            let exchange = try #require(try waiting([client]).first)
            client.finishSending()
            for _ in 0..<3 {
                let interim = try client.readAnswer()
                #expect(interim.status == 100)
                #expect(interim.headers.isEmpty)
            }
            #expect(!exchange.isOver)
            exchange.send(.text(200, "late"))
            #expect(try client.readAnswer().body == "late")
            #expect(try client.readToEnd().isEmpty)
        }
    }

    /// The system does not report that it leaves.
    @Test func aClientThatHasStoppedSendingLeavesLater() throws {
        try withServer(waiters.application) { server in
            var clients = try (0..<9).map { _ in try RawClient(server.address) }
            let exchanges = try waiting(clients)
            for client in clients {
                client.finishSending()
                #expect(try client.readAnswer().status == 100)
            }
            #expect(!exchanges.contains { $0.isOver })
            clients = []
            #expect(ends.wait { $0 == 9 })
        }
    }

    /// The checks of the first request end with its response.
    @Test func aClientThatHasStoppedSendingLeavesDuringItsNextRequest() throws {
        try withServer(waiters.application) { server in
            var clients = try (0..<9).map { _ in try RawClient(server.address) }
            for client in clients {
                try client.send(String(repeating: "GET /wait HTTP/1.1\r\nHost: h\r\n\r\n", count: 2))
                client.finishSending()
            }
            for client in clients { #expect(try client.readAnswer().status == 100) }
            #expect(waiters.wait(for: 9))
            for exchange in waiters.take() { exchange.send(.text(200, "first")) }
            #expect(waiters.wait(for: 9))
            let exchanges = waiters.take()
            for exchange in exchanges { exchange.whenOver { [ends] in ends.change { $0 += 1 } } }
            for client in clients {
                #expect(try Self.finalAnswer(to: client).body == "first")
                #expect(try client.readAnswer().status == 100)
            }
            #expect(!exchanges.contains { $0.isOver })
            clients = []
            #expect(ends.wait { $0 == 9 })
        }
    }

    /// The checks of the request end when the stream begins.
    @Test func aClientThatHasStoppedSendingLeavesTheStreamThatItHasWaitedFor() throws {
        try withServer(waiters.application, configure: { $0.streamHeartbeatSeconds = 3600 }) { server in
            var clients = try (0..<9).map { _ in try RawClient(server.address) }
            for client in clients {
                try client.get("/wait")
                client.finishSending()
            }
            for client in clients { #expect(try client.readAnswer().status == 100) }
            #expect(waiters.wait(for: 9))
            let streams = waiters.take().map { exchange in
                exchange.stream(headers: [:], heartbeat: Array(":\n".utf8)) { [ends] _ in ends.change { $0 += 1 } }
            }
            for client in clients {
                #expect(try Self.finalAnswer(to: client).status == 200)
                #expect(try client.readChunk() == ":\n")
            }
            #expect(!streams.contains { $0.isOver })
            clients = []
            #expect(ends.wait { $0 == 9 })
        }
    }

    /// The answer after the interim responses.
    private static func finalAnswer(to client: RawClient) throws -> Answer {
        var answer = try client.readAnswer()
        while answer.status == 100 { answer = try client.readAnswer() }
        return answer
    }

    @Test func aClientOfHTTP10GetsNoInterimResponse() throws {
        try withServer(waiters.application) { server in
            let client = try RawClient(server.address)
            try client.send("GET /wait HTTP/1.0\r\n\r\n")
            #expect(waiters.wait(for: 1))
            client.finishSending()
            #expect(client.staysOpenAndSilent(milliseconds: 2_500))
            try #require(waiters.take().first).send(.text(200, "late"))
            #expect(try client.readAnswer().body == "late")
        }
    }

    /// No interim response can be sent to it.
    @Test func aWaitingRequestIsOverWhenItsClientOverTLSLeaves() throws {
        let certificate = try TestCertificate()
        try withServer(waiters.application, configure: { $0.tls = certificate.identity }) { server in
            let isDone = inBackground { [url = server.address.url] in
                _ = try? certificate.curl("--max-time", "3", "\(url)/wait")
            }
            #expect(waiters.wait(for: 1))
            let exchange = try #require(waiters.take().first)
            exchange.whenOver { [ends] in ends.change { $0 += 1 } }
            #expect(!exchange.isOver)
            #expect(ends.wait { $0 == 1 })
            #expect(isDone.wait { $0 })
        }
    }
}
