import Glibc
import MicroHTTP
import SocketTesting
import Testing

/// A worker that has no time to wait answers the requests of a turn before it sends their responses.
struct RequestGroupTests {
    /// Answers requests one after the other. The eighth request, and each sixth one after it, stops the worker until it may
    /// continue.
    private struct StoppingApplication {
        private let requests = Watched(0)
        private let permits = Watched(0)
        /// How long the worker waits after the turn with the eighth request.
        var restMicroseconds: UInt32

        var application: TestApplication {
            var application = TestApplication(responding: { [self] _, exchange in
                let number = requests.change { number in
                    number += 1
                    return number
                }
                if number >= 8, number % 6 == 2 { _ = permits.wait { $0 >= number } }
                exchange.send(.text(200, "ok"))
            })
            application.turning = { [self] in
                if requests.read() == 8 { usleep(restMicroseconds) }
            }
            return application
        }

        /// Waits until a request has stopped the worker.
        func hasStopped(at number: Int) -> Bool {
            requests.wait { $0 == number }
        }

        func goOn(after number: Int) {
            permits.change { $0 = number }
        }
    }

    /// - Parameters:
    ///   - restMicroseconds: how long the worker waits before the turns that take long.
    ///   - silent: the number of clients that have no response while the last request of the last turn is answered.
    @Test(arguments: [(restMicroseconds: 0, silent: 6), (restMicroseconds: 1_000_000, silent: 1)])
    func aBusyWorkerSendsResponsesTogether(restMicroseconds: UInt32, silent: Int) throws {
        let stopping = StoppingApplication(restMicroseconds: restMicroseconds)
        try withServer(stopping.application, configure: { $0.workerCount = 1 }) { server in
            let clients = try (0..<7).map { _ in try RawClient(server.address) }
            for client in clients {
                try client.get("/")
                #expect(try client.readAnswer().body == "ok")
            }
            // While the first request stops the worker, the six of the next turn arrive. The turn of the first had only one.
            try clients[0].get("/")
            #expect(stopping.hasStopped(at: 8))
            for client in clients[1...] { try client.get("/") }
            stopping.goOn(after: 8)
            #expect(stopping.hasStopped(at: 14))
            let answered = clients.filter { !$0.staysOpenAndSilent(milliseconds: 1_000) }
            try #require(answered.count == 6)
            // The next turn comes after one with six responses, which has taken long.
            for client in answered {
                #expect(try client.readAnswer().body == "ok")
                try client.get("/")
            }
            stopping.goOn(after: 14)
            #expect(stopping.hasStopped(at: 20))
            #expect(answered.count { $0.staysOpenAndSilent(milliseconds: 300) } == silent)
            stopping.goOn(after: 20)
            for client in clients { #expect(try client.readAnswer().body == "ok") }
        }
    }

    /// Many clients send several requests at once, so that most of them wait for a later turn. Some clients do not wait for their
    /// responses.
    @Test func everyRequestOfABusyWorkerIsAnswered() throws {
        let application = TestApplication(responding: { request, exchange in
            usleep(100)
            exchange.send(.text(200, request.head.target.path + String(decoding: request.body, as: UTF8.self)))
        })
        try withServer(application, configure: { $0.workerCount = 1 }) { server in
            let clients = try (0..<100).map { _ in try RawClient(server.address) }
            let strangers = try (0..<50).map { _ in try RawClient(server.address) }
            let parts = 0..<30
            for (number, client) in clients.enumerated() {
                let headers = "HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4"
                try client.send(parts.map { "POST /\(number)/\($0) \(headers)\r\n\r\nbody" }.joined())
            }
            let request = "GET /stranger HTTP/1.1\r\nHost: localhost\r\n\r\n"
            for stranger in strangers {
                try stranger.send(String(repeating: request, count: parts.count))
                usleep(1_000)
                stranger.reset()
            }
            for (number, client) in clients.enumerated() {
                for part in parts { #expect(try client.readAnswer().body == "/\(number)/\(part)body") }
            }
        }
    }
}
