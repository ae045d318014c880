import Dispatch
import Glibc
import MicroHTTP
import SocketTesting
import Testing

/// A worker that has no time to wait answers together the requests that have arrived, and then sends their responses.
struct RequestGroupTests {
    /// Answers each request in two steps. The first step of the eighth request, and of each sixth one after it, stops the worker
    /// until it may continue.
    private struct StoppingApplication {
        private let requests = Watched(0)
        private let permits = Watched(0)
        /// How many second steps were done.
        let secondSteps = Watched(0)
        /// How long the worker waits after the turn with the eighth request.
        var restMicroseconds: UInt32

        var application: TestApplication {
            var application = TestApplication()
            application.responding = { _, _ in }
            application.stepping = { [self] _, _ in
                let number = requests.change { number in
                    number += 1
                    return number
                }
                if number >= 8, number % 6 == 2 { _ = permits.wait { $0 >= number } }
                return .next { [self] in
                    secondSteps.change { $0 += 1 }
                    return .respond(.text(200, "ok"))
                }
            }
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
    ///   - silent: the number of clients that have no response while the last request of the last turn is answered. Their
    ///     requests have not come to the second step.
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
            #expect(stopping.secondSteps.read() == 20 - silent)
            stopping.goOn(after: 20)
            for client in clients { #expect(try client.readAnswer().body == "ok") }
        }
    }

    /// All ways in which a request can be answered.
    private enum Way: Int, CaseIterable {
        case atOnce, inThreeSteps, laterInAStep, beforeAStep, fromAnotherThread, withAStream

        func answer(_ text: String, over exchange: Exchange) -> Step {
            let response = Response.text(200, text)
            switch self {
            case .atOnce:
                return .respond(response)
            case .inThreeSteps:
                return .next { .next { .respond(response) } }
            case .laterInAStep:
                return .next {
                    exchange.send(response)
                    return .wait
                }
            case .beforeAStep:
                exchange.send(response)
                return .next { .respond(.text(500, "late")) }
            case .fromAnotherThread:
                return .next {
                    DispatchQueue.global().async { exchange.send(response) }
                    return .wait
                }
            case .withAStream:
                return .next {
                    exchange.stream(headers: [:]).end(with: Array(text.utf8))
                    return .wait
                }
            }
        }
    }

    /// Many clients send several requests at once, so that most of them wait for a later turn. Some clients do not wait for their
    /// responses.
    @Test func everyRequestOfABusyWorkerIsAnswered() throws {
        let wayCount = Way.allCases.count
        var application = TestApplication()
        application.responding = { _, _ in usleep(100) }
        application.stepping = { request, exchange in
            let text = request.head.target.path + String(decoding: request.body, as: UTF8.self)
            let slashCount = text.utf8.count { $0 == UInt8(ascii: "/") }
            return (Way(rawValue: slashCount - 2) ?? .atOnce).answer(text, over: exchange)
        }
        try withServer(application, configure: { $0.workerCount = 1 }) { server in
            let clients = try (0..<100).map { _ in try RawClient(server.address) }
            let strangers = try (0..<50).map { _ in try RawClient(server.address) }
            let parts = 0..<30
            /// The path of a request, whose number of slashes is that of the way.
            func path(_ client: Int, _ part: Int) -> String {
                "/\(client)\(String(repeating: "/", count: 1 + (client + part) % wayCount))\(part)"
            }
            for (number, client) in clients.enumerated() {
                let headers = "HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4"
                try client.send(parts.map { "POST \(path(number, $0)) \(headers)\r\n\r\nbody" }.joined())
            }
            let requests = parts.map { "GET \(path(0, $0)) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined()
            for stranger in strangers {
                try stranger.send(requests)
                usleep(1_000)
                stranger.reset()
            }
            for (number, client) in clients.enumerated() {
                for part in parts { #expect(try client.readWholeAnswer().body == "\(path(number, part))body") }
            }
        }
    }

    /// Requests that wait for their turn are answered when the server stops.
    @Test func aBusyWorkerThatStopsAnswersWhatHasArrived() throws {
        let answered = Watched(0)
        var application = TestApplication()
        application.responding = { _, _ in usleep(100) }
        application.stepping = { _, _ in
            answered.change { $0 += 1 }
            return .next { .respond(.text(200, "ok")) }
        }
        try withServer(application, configure: { $0.workerCount = 1 }) { server in
            let clients = try (0..<50).map { _ in try RawClient(server.address) }
            let parts = 0..<40
            let requests = String(repeating: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", count: parts.count)
            for client in clients { try client.send(requests) }
            #expect(answered.wait { $0 >= 200 })
            let isStopped = inBackground { server.stop(grace: .seconds(60)) }
            for client in clients {
                var last: [String: String] = [:]
                while last["connection"] != "close" {
                    let answer = try client.readAnswer()
                    #expect(answer.status == 200)
                    last = answer.headers
                }
                #expect(try client.readToEnd().isEmpty)
            }
            #expect(isStopped.wait { $0 })
        }
    }
}
