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

    /// The library asks for a turn at once while bytes wait for it, even if it cannot read them.
    @Test(arguments: [true, false])
    func aConnectionThatCannotContinueTakesFewTurns(isSecure: Bool) throws {
        let handshake = "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}"
        let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        let longLine = "5;" + String(repeating: "a", count: 70_000)
        let turns = Watched(0)
        let application = TestApplication(turning: { turns.change { $0 += 1 } })
        let certificate = try TestCertificate()
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.workerCount = 1
            if isSecure { configuration.tls = certificate.identity }
        }
        try withServer(application, configure: configure) { server in
            let client = try RawClient(server.address)
            try client.send(isSecure ? handshake : head + longLine)
            usleep(300_000)
            let before = turns.read()
            usleep(1_000_000)
            // There is a millisecond between them.
            let count = turns.read() - before
            #expect(count < 1_200)
            #expect(try certificate.curl(server.address.url + "/a") == "GET [a] ")
        }
    }

    @Test func aServerThatDoesNotRunTellsNothing() {
        let server = Server(configuration: ServerConfiguration(), application: TestApplication())
        server.afterATurnOfEachWorker { Issue.record("a server that was not started has no workers") }
    }
}
