import Foundation
import SocketTesting
import Testing

@testable import MicroHTTP

struct IdleCostTests {
    /// It has a process to itself, in which nothing else uses the processor, and prints what it measured.
    @Test func idleWaitersAndStreamsCostNoProcessorTime() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let waiters = Watched(0)
            let streams = Watched<[BodyStream]>([])
            let application = TestApplication(responding: { request, exchange in
                if request.head.target.segments.first == "stream" {
                    streams.change { $0.append(exchange.stream(headers: [:], heartbeat: [10])) }
                } else {
                    exchange.wake(after: .seconds(60)) { $0.send(.text(204, "")) }
                    waiters.change { $0 += 1 }
                }
            })
            // Both ends of each connection are in this process.
            let count = min(10_000, (ProcessUse.descriptorLimit - 1_000) / 2)
            try #require(count >= 1_000, "The limit of open files is too low: \(ProcessUse.descriptorLimit)")
            try withServer(application, configure: { $0.connectionLimit = 2 * count }) { server in
                let bytesBefore = ProcessUse.residentBytes
                let clients = try (0..<count).map { _ in try RawClient(server.address) }
                for (number, client) in clients.enumerated() {
                    try client.get(number.isMultiple(of: 2) ? "/stream" : "/wait")
                }
                #expect(waiters.wait { $0 == count / 2 })
                #expect(streams.wait { $0.count == count - count / 2 })
                Thread.sleep(forTimeInterval: 0.5)
                // The least of three seconds: in one of them the streams' heartbeats may be due.
                let used =
                    (0..<3).map { _ in
                        let before = ProcessUse.processorSeconds
                        Thread.sleep(forTimeInterval: 1)
                        return ProcessUse.processorSeconds - before
                    }.min() ?? 0
                let bytes = (ProcessUse.residentBytes - bytesBefore) / count
                print("\(count) idle: \(Int(used * 1e6)) µs of processor time in a second, \(bytes) bytes each")
                #expect(used < 0.01)
                // Asleep is not deaf: all of them are served at once.
                for stream in streams.read() {
                    stream.write("x")
                }
                _ = try clients[0].readAnswer()
                #expect(try clients[0].readChunk() == "x")
            }
        }
        print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    }
}
