import FileTesting
import Foundation
import SocketTesting
import Testing

struct LossTests {
    /// Has `deckd serve` live through clients that leave in every way there is, round after round, and counts what it
    /// holds afterwards. The clients have a process to themselves, so that no other test's child keeps them open.
    @Test func clientsThatLeaveTakeNothingAlong() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let folder = try TemporaryFolder()
            let heartbeat = ["DECKD_LIMITS_STREAM_HEARTBEAT_SECONDS": "1"]
            let server = try RunningServer(
                environment: RunningServer.countedHeap.merging(heartbeat) { $1 },
                data: folder.file("deckd.sqlite")
            )
            let clients = try BadClients(server)
            // The first rounds fill pools and caches and open what is opened once.
            for _ in 0..<5 { try clients.run() }
            let sockets = clients.idleSocketCount
            #expect(server.waitForSockets { $0 <= sockets }, "\(server.socketCount) of \(sockets)")
            var bytes = [try server.allocatedBytes()]
            for _ in 0..<5 {
                try clients.run()
                #expect(server.waitForSockets { $0 <= sockets }, "\(server.socketCount) of \(sockets)")
                bytes.append(try server.allocatedBytes())
            }
            print("\(sockets) sockets; allocated after each round: \(bytes)")
            // The places of a round's 880 verdicts stay in a list until they are indexed: some 30,000 bytes. Nothing else stays:
            // the caches are full, and of ended sessions nothing is known. The limit has 20 bytes more for each client.
            let meanGrowth = (bytes[5] - bytes[0]) / 5
            #expect(meanGrowth < 60_000, "a round leaves \(meanGrowth) bytes")
            #expect(server.stop(SIGTERM) == .exit(0))
        }
        print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    }

    /// The same for clients that only wait. Their small use would not be visible beside the rest. No session is changed
    /// meanwhile, so that no table grows. Only in the long mode, because the clients of a round wait for five seconds.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["DECKD_TEST_LONG"] != nil))
    func clientsThatWaitTakeNothingAlong() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let limits = ["DECKD_LIMITS_STREAM_HEARTBEAT_SECONDS": "1", "DECKD_LIMITS_STREAMS_PER_SESSION": "50"]
            let server = try RunningServer(environment: RunningServer.countedHeap.merging(limits) { $1 })
            let clients = try BadClients(server)
            let sockets = clients.idleSocketCount
            var bytes: [Int] = []
            for _ in 0..<20 {
                try clients.wait(1_000)
                try #require(server.waitForSockets { $0 <= sockets }, "\(server.socketCount)")
                bytes.append(try server.allocatedBytes())
            }
            print("allocated after each round: \(bytes)")
            // In the ten rounds that are counted, five bytes that each client leaves behind are this much.
            #expect(bytes[19] - bytes[9] < 10 * 2_000 * 5, "\(bytes[19] - bytes[9]) bytes")
        }
        print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    }
}
