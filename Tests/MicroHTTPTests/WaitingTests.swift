import Foundation
import MicroHTTP
import SocketTesting
import Testing

@Suite(.serialized) struct WaitingTests {
    @Test func aSuspendedRequestIsAnsweredFromAnotherThread() throws {
        let waiters = Waiters()
        try withServer(waiters.application) { server in
            let client = try RawClient(server.address)
            try client.get("/wait")
            #expect(waiters.wait(for: 1))
            let exchange = try #require(waiters.take().first)
            #expect(!exchange.isOver)
            let isDone = inBackground {
                exchange.send(.text(200, "late"))
                exchange.send(.text(200, "later"))
            }
            #expect(try client.readAnswer().body == "late")
            #expect(isDone.wait { $0 })
            #expect(exchange.isOver)
            try client.get("/now")
            #expect(try client.readAnswer().body == "now")
        }
    }

    @Test(arguments: [false, true]) func anActionOnTheWorkerAnswers(fromAnotherThread: Bool) throws {
        let waiters = Waiters()
        try withServer(waiters.application) { server in
            let client = try RawClient(server.address)
            for number in 0..<3 {
                try client.get("/wait")
                #expect(waiters.wait(for: 1))
                let exchange = try #require(waiters.take().first)
                // The first action leaves the request waiting.
                exchange.onWorker { _ in }
                exchange.onWorker { exchange in
                    guard fromAnotherThread else { return exchange.send(.text(200, "\(number)")) }
                    let isDone = inBackground { exchange.send(.text(200, "\(number)")) }
                    #expect(isDone.wait { $0 })
                }
                #expect(try client.readAnswer().body == "\(number)")
                exchange.onWorker { _ in Issue.record("An action ran after the answer.") }
            }
        }
    }

    /// libmicrohttpd closes a connection when it reads the end of what the client sends.
    @Test func clientsThatSendNothingMoreAreAnswered() throws {
        let waiters = Waiters()
        try withServer(waiters.application) { server in
            let clients = try (0..<20).map { _ in try RawClient(server.address) }
            for client in clients {
                try client.get("/wait")
                client.finishSending()
            }
            #expect(waiters.wait(for: clients.count))
            for exchange in waiters.take() { exchange.send(.text(200, "late")) }
            for client in clients { #expect(try client.readAnswer().body == "late") }
        }
    }

    @Test func onlyTheFirstAnswerCounts() throws {
        let application = TestApplication(responding: { _, exchange in
            exchange.send(.text(200, "first"))
            exchange.send(.text(500, "second"))
            exchange.wake(after: .zero) { $0.send(.text(500, "third")) }
        })
        try withServer(application) { server in
            let client = try RawClient(server.address)
            for _ in 0..<10 {
                try client.get("/")
                #expect(try client.readAnswer().body == "first")
            }
        }
    }

    @Test func wakesComeInOrderAndNeverEarly() throws {
        let wakes = Watched<[(Int, ContinuousClock.Instant)]>([])
        let application = TestApplication(responding: { _, exchange in
            for milliseconds in [600, 200, 400, 0, -5, 1000] {
                exchange.wake(after: .milliseconds(milliseconds)) { exchange in
                    wakes.change { $0.append((milliseconds, .now)) }
                    if milliseconds == 600 {
                        exchange.send(.text(200, "woken"))
                    }
                }
            }
        })
        try withServer(application) { server in
            let client = try RawClient(server.address)
            let start = ContinuousClock.now
            try client.get("/")
            #expect(try client.readAnswer().body == "woken")
            // The wake at 1000 comes after the answer and must not run; another request's show that its time has passed.
            try client.get("/")
            #expect(try client.readAnswer().body == "woken")
            let seen = wakes.read()
            #expect(seen.map(\.0) == [0, -5, 200, 400, 600, 0, -5, 200, 400, 600])
            for (milliseconds, moment) in seen {
                #expect(moment - start >= .milliseconds(milliseconds))
            }
            #expect(try #require(seen.last).1 - start < .seconds(20))
        }
    }

    @Test func aThousandSuspendedRequestsAreAllAnswered() throws {
        let waiters = Waiters()
        try withServer(waiters.application) { server in
            let clients = try (0..<1_000).map { _ in try RawClient(server.address) }
            for client in clients {
                try client.get("/wait")
            }
            #expect(waiters.wait(for: 1_000))
            let isDone = inBackground {
                for (number, exchange) in waiters.take().enumerated() {
                    exchange.send(.text(200, "\(number)"))
                }
            }
            let bodies = try Set(clients.map { try $0.readAnswer().body })
            #expect(bodies.count == 1_000)
            #expect(isDone.wait { $0 })
        }
    }

    @Test func noWakeUpIsLostOverManyRounds() throws {
        let waiters = Waiters()
        try withServer(waiters.application) { server in
            let clients = try (0..<300).map { _ in try RawClient(server.address) }
            // Answered one by one by another thread while more arrive: resumes and suspensions cross all the time.
            let isStopping = Watched(false)
            let isDone = inBackground {
                while !isStopping.read() {
                    for exchange in waiters.take() {
                        exchange.send(.text(200, "ok"))
                    }
                }
            }
            for _ in 0..<20 {
                for client in clients {
                    try client.get("/wait")
                }
                for client in clients {
                    #expect(try client.readAnswer().status == 200)
                }
            }
            isStopping.change { $0 = true }
            #expect(isDone.wait { $0 })
        }
    }

    @Test func aClientThatSendsNoMoreStillGetsItsLateAnswer() throws {
        let waiters = Waiters()
        try withServer(waiters.application) { server in
            let client = try RawClient(server.address)
            try client.get("/wait")
            client.finishSending()
            #expect(waiters.wait(for: 1))
            waiters.take().first?.send(.text(200, "late"))
            // Whether the connection is closed then or only when it has been idle depends on when the library saw that
            // no more is sent: it takes what came with the request itself for the request only.
            #expect(try client.readAnswer().body == "late")
        }
    }

    @Test func anEndThatComesWithTheRequestIsNotMissed() throws {
        try withServer { server in
            let clients = try (0..<200).map { _ in try RawClient(server.address) }
            for client in clients {
                try client.get("/a")
                client.finishSending()
            }
            let start = ContinuousClock.now
            for client in clients {
                #expect(try client.readAnswer().body == "GET [a] ")
                #expect(try client.readToEnd().isEmpty)
            }
            // Those that are missed are open for as long as an idle connection.
            #expect(ContinuousClock.now - start < .seconds(20))
        }
    }

    @Test(arguments: [false, true])
    func aClientMayLeaveWhileItWaits(_ byReset: Bool) throws {
        let waiters = Waiters()
        try withServer(waiters.application) { server in
            for _ in 0..<20 {
                let client = try RawClient(server.address)
                try client.get("/wait")
                #expect(waiters.wait(for: 1))
                if byReset {
                    client.reset()
                } else {
                    client.finishSending()
                }
                let exchange = try #require(waiters.take().first)
                exchange.send(Response(status: 200, body: [UInt8](repeating: 0, count: 1 << 20)))
                exchange.send(.text(200, "again"))
                #expect(exchange.isOver)
            }
            let client = try RawClient(server.address)
            try client.get("/now")
            #expect(try client.readAnswer().body == "now")
        }
    }

    @Test func anAnswerAfterTheServerHasStoppedDoesNoHarm() throws {
        let waiters = Waiters()
        let exchange = try withServer(waiters.application) { server in
            let client = try RawClient(server.address)
            try client.get("/wait")
            #expect(waiters.wait(for: 1))
            return try #require(waiters.take().first)
        }
        #expect(exchange.isOver)
        exchange.send(.text(200, "too late"))
        exchange.wake(after: .zero) { _ in Issue.record("a worker that has ended woke an exchange") }
    }

    /// libmicrohttpd closes the connection of a client that leaves before its request waits, unless that connection is the one
    /// that was idle for the longest time.
    @Test func aRequestIsOverWhenItsClientLeavesBeforeItWaits() throws {
        let client = Watched<RawClient?>(nil)
        let ends = Watched(0)
        let exchanges = Watched<[Exchange]>([])
        let application = TestApplication(responding: { request, exchange in
            guard request.head.target.segments.first == "wait" else { return exchange.send(.text(200, "")) }
            exchanges.change { $0.append(exchange) }
            exchange.whenOver { ends.change { $0 += 1 } }
            #expect(ends.read() == 0)
            client.read()?.reset()
        })
        try withServer(application, configure: { $0.workerCount = 1 }) { server in
            let idle = try RawClient(server.address)
            try idle.get("/")
            #expect(try idle.readAnswer().status == 200)
            let connected = try RawClient(server.address)
            client.change { $0 = connected }
            try connected.get("/wait")
            #expect(ends.wait { $0 == 1 })
            let exchange = try #require(exchanges.read().first)
            #expect(exchange.isOver)
            exchange.whenOver { ends.change { $0 += 1 } }
            #expect(ends.read() == 2)
        }
    }

    @Test(arguments: ["step", "send", "later"]) func aRequestIsOverWhenItIsAnswered(how: String) throws {
        let ends = Watched<[Int]>([])
        let waiters = Waiters()
        var application = TestApplication(responding: { _, exchange in
            for number in 0..<2 { exchange.whenOver { ends.change { $0.append(number) } } }
            #expect(ends.read() == [])
            if how == "send" {
                exchange.send(.text(200, "sent"))
                #expect(ends.read() == [0, 1])
            }
            // From here on the test can answer.
            waiters.exchanges.change { $0.append(exchange) }
        })
        if how == "step" { application.stepping = { _, _ in .respond(.text(200, "returned")) } }
        try withServer(application) { server in
            let client = try RawClient(server.address)
            try client.get("/")
            #expect(waiters.wait(for: 1))
            if how == "later" {
                let exchange = try #require(waiters.take().first)
                exchange.send(.text(200, "sent"))
                exchange.send(.text(200, "sent again"))
                #expect(ends.read() == [0, 1])
            }
            #expect(try client.readAnswer().status == 200)
            #expect(ends.read() == [0, 1])
        }
    }
}
