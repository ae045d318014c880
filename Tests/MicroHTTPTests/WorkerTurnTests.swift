import Foundation
import MicroHTTP
import SocketTesting
import Testing

/// What a watchdog asks.
@Suite(.serialized) struct WorkerTurnTests {
    @Test func aTurnOfEachWorkerIsTold() throws {
        let turns = Watched(0)
        try withServer(configure: { $0.workerCount = 4 }) { server in
            for _ in 0..<10 { server.afterATurnOfEachWorker { turns.change { $0 += 1 } } }
            #expect(turns.wait { $0 == 10 })
        }
    }

    @Test func aWorkerThatHangsIsNoticed() throws {
        let order = Watched<[String]>([])
        let isHanging = DispatchSemaphore(value: 0)
        let goOn = DispatchSemaphore(value: 0)
        let application = TestApplication(responding: { _, exchange in
            isHanging.signal()
            goOn.wait()
            order.change { $0.append("work") }
            exchange.send(.text(200, "ok"))
        })
        try withServer(application, configure: { $0.workerCount = 2 }) { server in
            let client = try RawClient(server.address)
            try client.get("/")
            isHanging.wait()
            server.afterATurnOfEachWorker { order.change { $0.append("turn") } }
            goOn.signal()
            // Whichever worker hung, the turn was not over before it continued.
            #expect(order.wait { $0 == ["work", "turn"] })
            #expect(try client.readAnswer().body == "ok")
        }
    }

    /// After its last turn a worker reads no messages.
    @Test func aWorkerThatStopsIsPassedOver() throws {
        let server = Watched<Server?>(nil)
        let (asked, answered) = (Watched(0), Watched(0))
        let application = TestApplication(turning: {
            guard let server = server.read() else { return }
            asked.change { $0 += 1 }
            server.afterATurnOfEachWorker { answered.change { $0 += 1 } }
        })
        try withServer(application, configure: { $0.workerCount = 1 }) { running in
            server.change { $0 = running }
            running.stop(grace: .zero)
            server.change { $0 = nil }
        }
        #expect(asked.read() > 0)
        #expect(answered.read() == asked.read())
    }

    @Test func aServerThatDoesNotRunTellsNothing() {
        let server = Server(configuration: ServerConfiguration(), application: TestApplication())
        server.afterATurnOfEachWorker { Issue.record("a server that was not started has no workers") }
    }
}
