import Glibc
import MicroHTTP
import SocketTesting
import Testing

/// A worker that has no time to wait sends the responses of a turn together.
struct ResponseGroupTests {
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
    ///   - kept: the number of responses that are sent only when the last turn ends.
    @Test(arguments: [(restMicroseconds: 0, kept: 5), (restMicroseconds: 1_000_000, kept: 0)])
    func responsesOfABusyTurnAreKeptUntilItsEnd(restMicroseconds: UInt32, kept: Int) throws {
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
            #expect(keptSockets(of: server.address.port) == 0)
            let answered = clients.filter { !$0.staysOpenAndSilent(milliseconds: 1_000) }
            try #require(answered.count == 6)
            // The next turn comes after one with six responses, which has taken long.
            for client in answered {
                #expect(try client.readAnswer().body == "ok")
                try client.get("/")
            }
            stopping.goOn(after: 14)
            #expect(stopping.hasStopped(at: 20))
            #expect(keptSockets(of: server.address.port) == kept)
            stopping.goOn(after: 20)
            for client in clients { #expect(try client.readAnswer().body == "ok") }
            #expect(keptSockets(of: server.address.port) == 0)
        }
    }

    /// How many sockets of a server there are whose bytes the kernel keeps.
    private func keptSockets(of port: Int) -> Int {
        (3..<CInt(4_096)).count { isSocket($0, of: port) && keepsBytes($0) }
    }

    private func isSocket(_ descriptor: CInt, of port: Int) -> Bool {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return result == 0 && Int(UInt16(bigEndian: address.sin_port)) == port
    }

    private func keepsBytes(_ descriptor: CInt) -> Bool {
        var option: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_CORK, &option, &length) == 0 && option != 0
    }
}
