import Foundation
import MicroHTTP
import Testing

struct SlowClientTests {
    /// Times requests with and without clients that send a byte a second, and prints both.
    @Test func slowClientsDoNotSlowOthersAndAreCutOff() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            try withServer(configure: { $0.requestTimeoutSeconds = 5 }) { server in
                _ = try SlowClients.timesOfRequests(to: server.address, for: .milliseconds(300))
                let without = try SlowClients.timesOfRequests(to: server.address, for: .seconds(2))
                let slow = try (0..<300).map { _ in try RawClient(server.address) }
                let sending = SlowClients.sendAByteASecond(over: slow)
                let with = try SlowClients.timesOfRequests(to: server.address, for: .seconds(2))
                let (alone, beside) = (SlowClients.p99(without), SlowClients.p99(with))
                print("p99 of \(without.count) requests \(alone), beside 300 slow clients of \(with.count) \(beside)")
                // What is guarded against here is waiting for the slow, which takes a second; a machine that other
                // tests use stalls single requests.
                #expect(SlowClients.median(with) < .milliseconds(500))
                #expect(sending.wait { $0 })
                for client in slow {
                    #expect(try client.readToEnd().isEmpty)
                }
            }
        }
        print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    }
}

private enum SlowClients {
    static func timesOfRequests(to address: BoundAddress, for time: Duration) throws -> [Duration] {
        let client = try RawClient(address)
        let end = ContinuousClock.now + time
        var times: [Duration] = []
        while ContinuousClock.now < end {
            let start = ContinuousClock.now
            try client.get("/a")
            #expect(try client.readAnswer().status == 200)
            times.append(ContinuousClock.now - start)
        }
        return times
    }

    static func median(_ times: [Duration]) -> Duration {
        times.isEmpty ? .zero : times.sorted()[times.count / 2]
    }

    static func p99(_ times: [Duration]) -> Duration {
        times.isEmpty ? .zero : times.sorted()[times.count * 99 / 100]
    }

    /// Sends until the server has closed every connection, or for ten seconds; says when it has ended.
    ///
    /// Unchecked because only this thread uses the clients until then.
    static func sendAByteASecond(over clients: [RawClient]) -> Watched<Bool> {
        struct Handed: @unchecked Sendable { let clients: [RawClient] }
        let handed = Handed(clients: clients)
        return inBackground {
            var text = "POST /slow HTTP/1.1\r\nHost: h\r\n"[...]
            var open = handed.clients
            while !open.isEmpty, let character = text.popFirst() {
                open = open.filter { (try? $0.send(String(character))) != nil }
                Thread.sleep(forTimeInterval: 1)
            }
        }
    }
}
