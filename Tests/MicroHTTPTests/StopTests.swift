import Foundation
import MicroHTTP
import SocketTesting
import Testing

@Suite(.serialized) struct StopTests {
    @Test func requestsInFlightFinishWithinTheGrace() throws {
        let waiters = Waiters()
        // None of these times may pass within the test, however slow the machine is.
        let patience = 3600
        func beingPatient(_ configuration: inout ServerConfiguration) {
            configuration.requestTimeoutSeconds = patience
            configuration.idleTimeoutSeconds = patience
        }
        try withServer(waiters.application, configure: beingPatient) { server in
            let clients = try (0..<20).map { _ in try RawClient(server.address) }
            for client in clients {
                try client.get("/wait")
            }
            let uploading = try RawClient(server.address)
            try uploading.send("POST /now HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\na")
            #expect(waiters.wait(for: clients.count))
            // Once a new client is not accepted any more, the stop has started.
            let isStopped = inBackground { server.stop(grace: .seconds(patience)) }
            while (try? RawClient(server.address)) != nil {}
            #expect(!isStopped.read())
            for exchange in waiters.take() {
                exchange.send(.text(200, "done"))
            }
            for client in clients {
                let answer = try client.readAnswer()
                #expect(answer.body == "done")
                #expect(answer.headers["connection"] == "close")
                #expect(try client.readToEnd().isEmpty)
            }
            #expect(!isStopped.read())
            try uploading.send("b")
            #expect(try uploading.readAnswer().body == "now")
            #expect(isStopped.wait { $0 })
        }
    }

    @Test func requestsThatStillWaitAfterTheGraceAreToldSo() throws {
        let waiters = Waiters()
        try withServer(waiters.application) { server in
            let clients = try (0..<20).map { _ in try RawClient(server.address) }
            for client in clients {
                try client.get("/wait")
            }
            #expect(waiters.wait(for: clients.count))
            let start = ContinuousClock.now
            server.stop(grace: .milliseconds(100))
            #expect(ContinuousClock.now - start >= .milliseconds(100))
            #expect(ContinuousClock.now - start < .seconds(20))
            for client in clients {
                let answer = try client.readAnswer()
                #expect(answer.status == 503)
                #expect(answer.body == "stopping")
                #expect(try client.readToEnd().isEmpty)
            }
            #expect(waiters.take().filter { !$0.isOver }.isEmpty)
        }
    }

    /// libmicrohttpd closes the connections of such requests without a report.
    @Test func requestsWithTwoErrorsDoNotDelayTheStop() throws {
        let cookie = "Cookie: a=\"\r\n\r\n"
        try withServer { server in
            for head in ["GET / HTTP/1.1\r\n", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n"] {
                let client = try RawClient(server.address)
                try client.send(head + cookie)
                #expect(try client.readToEnd().isEmpty)
            }
            let start = ContinuousClock.now
            server.stop(grace: .seconds(30))
            #expect(ContinuousClock.now - start < .seconds(20))
        }
    }

    @Test func idleConnectionsDoNotDelayTheStop() throws {
        try withServer { server in
            let clients = try (0..<20).map { _ in try RawClient(server.address) }
            for client in clients {
                try client.get("/a")
                #expect(try client.readAnswer().status == 200)
            }
            let start = ContinuousClock.now
            server.stop(grace: .seconds(30))
            #expect(ContinuousClock.now - start < .seconds(20))
            for client in clients {
                #expect(try client.readToEnd().isEmpty)
            }
        }
    }

    /// A client may have sent a request before it could know of the stop.
    @Test func idleConnectionsAreServedWhileAnotherRequestWaits() throws {
        let waiters = Waiters()
        try withServer(waiters.application, configure: { $0.workerCount = 1 }) { server in
            let waiting = try RawClient(server.address)
            let idle = try (0..<2).map { _ in try RawClient(server.address) }
            for client in idle {
                try client.get("/now")
                #expect(try client.readAnswer().status == 200)
            }
            try waiting.get("/wait")
            #expect(waiters.wait(for: 1))
            let isStopped = inBackground { server.stop(grace: .seconds(3600)) }
            while (try? RawClient(server.address)) != nil {}
            try idle[0].get("/now")
            let answer = try idle[0].readAnswer()
            #expect(answer.body == "now")
            #expect(answer.headers["connection"] == "close")
            #expect(try idle[0].readToEnd().isEmpty)
            #expect(idle[1].staysOpenAndSilent(milliseconds: 100))
            try #require(waiters.take().first).send(.text(200, "done"))
            #expect(try waiting.readAnswer().body == "done")
            #expect(try idle[1].readToEnd().isEmpty)
            #expect(isStopped.wait { $0 })
        }
    }

    @Test func aClientThatNeverFinishesItsBodyIsCutOff() throws {
        try withServer { server in
            let client = try RawClient(server.address)
            try client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\na")
            let start = ContinuousClock.now
            server.stop(grace: .milliseconds(50))
            #expect(ContinuousClock.now - start < .seconds(20))
            #expect(try client.readToEnd().isEmpty)
        }
    }

    @Test func aStopUnderLoadAnswersAllThatWasTakenOn() throws {
        let waiters = Waiters()
        try withServer(waiters.application) { server in
            let address = server.address
            let statuses = Watched<[Int]>([])
            let isOver = Watched(false)
            let answering = inBackground {
                while !isOver.read() {
                    for exchange in waiters.take() {
                        exchange.send(.text(200, "ok"))
                    }
                }
            }
            let clients = (0..<8).map { _ in
                inBackground {
                    guard let client = try? RawClient(address) else { return }
                    while (try? client.get("/wait")) != nil, let answer = try? client.readAnswer() {
                        statuses.change { $0.append(answer.status) }
                    }
                }
            }
            #expect(statuses.wait { $0.count > 100 })
            let start = ContinuousClock.now
            server.stop(grace: .seconds(30))
            #expect(ContinuousClock.now - start < .seconds(20))
            for client in clients {
                #expect(client.wait { $0 })
            }
            isOver.change { $0 = true }
            #expect(answering.wait { $0 })
            #expect(Set(statuses.read()) == [200])
        }
    }

    @Test func stoppingAgainIsHarmless() throws {
        let waiters = Waiters()
        try withServer(waiters.application) { server in
            let client = try RawClient(server.address)
            try client.get("/wait")
            #expect(waiters.wait(for: 1))
            let stops = (0..<4).map { _ in inBackground { server.stop(grace: .seconds(30)) } }
            server.stop(grace: .zero)
            for stop in stops {
                #expect(stop.wait { $0 })
            }
            #expect(try client.readAnswer().status == 503)
            server.stop(grace: .seconds(30))
        }
        let unstarted = Server(configuration: .init(), application: TestApplication())
        unstarted.stop(grace: .seconds(30))
    }

    @Test func aWorkersOwnThreadMayStopTheServer() throws {
        let running = Watched<Server?>(nil)
        let application = TestApplication(responding: { _, exchange in
            running.read()?.stop(grace: .seconds(30))
            exchange.send(.text(200, "bye"))
        })
        try withServer(application) { server in
            running.change { $0 = server }
            let client = try RawClient(server.address)
            try client.get("/")
            #expect(try client.readAnswer().body == "bye")
            #expect(try client.readToEnd().isEmpty)
            running.change { $0 = nil }
        }
    }

    @Test func lettingGoOfAServerStopsIt() throws {
        var configuration = ServerConfiguration(host: "127.0.0.1", port: 0)
        configuration.workerCount = 2
        var server: Server? = Server(
            configuration: configuration,
            application: TestApplication()
        )
        try server?.start()
        let place = try #require(server?.address)
        let client = try RawClient(place)
        try client.get("/a")
        #expect(try client.readAnswer().status == 200)
        server = nil
        #expect(try client.readToEnd().isEmpty)
        #expect(throws: (any Error).self) { try RawClient(place) }
    }
}
