import Foundation
import SocketTesting
import Testing

struct LossTests {
    /// Settings of jemalloc: one heap, which returns each free page to the system at once. The resident memory then follows
    /// what the server has allocated; otherwise it varies by ten megabytes from round to round.
    private static let exactHeap = ["MALLOC_CONF": "narenas:1,dirty_decay_ms:0,muzzy_decay_ms:0,tcache:false"]

    /// Has `deckd serve` live through clients that leave in every way there is, round after round, and counts what it
    /// holds afterwards. The clients have a process to themselves, so that no other test's child keeps them open.
    @Test func clientsThatLeaveTakeNothingAlong() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let folder = FileManager.default.temporaryDirectory.appending(path: "deckd-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let server = try RunningServer(
                environment: Self.exactHeap.merging(["DECKD_LIMITS_STREAM_HEARTBEAT_SECONDS": "1"]) { $1 },
                data: folder.appending(path: "deckd.sqlite").path
            )
            let clients = try BadClients(server)
            // The first rounds fill pools and caches and open what is opened once.
            for _ in 0..<8 { try clients.run() }
            let sockets = clients.idleSocketCount
            #expect(server.waitForSockets { $0 <= sockets }, "\(server.socketCount) of \(sockets)")
            var bytes = [server.residentBytes]
            // The heap settles for some rounds; what is lost, each round loses. The mean of the last rounds counts, as one round may
            // return some pages by chance.
            let countedRounds = Sanitizer.isOn ? 3 : 5
            for _ in 0..<2 * countedRounds {
                try clients.run()
                #expect(server.waitForSockets { $0 <= sockets }, "\(server.socketCount) of \(sockets)")
                bytes.append(server.residentBytes)
            }
            let meanGrowth = (bytes[2 * countedRounds] - bytes[countedRounds]) / countedRounds
            print("\(sockets) sockets; resident after each round: \(bytes)")
            // Under a sanitizer the heap grows for other reasons, and its report has what was lost.
            // The verdicts of a round and what is known of its ended sessions stay, and pages of the file are cached: some 120,000
            // bytes. The limit has 60 bytes more for each client.
            #expect(Sanitizer.isOn || meanGrowth < 200_000, "a round leaves \(meanGrowth) bytes")
            #expect(server.stop(SIGTERM) == .exit(0))
        }
        print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    }

    /// The same for clients that only wait. Their small use would not be visible beside the rest. Nothing is played meanwhile, so
    /// that nothing is kept that may grow. Only in the long mode, as memory settles for some sixty rounds.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["DECKD_TEST_LONG"] != nil))
    func clientsThatWaitTakeNothingAlong() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let limits = ["DECKD_LIMITS_STREAM_HEARTBEAT_SECONDS": "1", "DECKD_LIMITS_STREAMS_PER_SESSION": "50"]
            let server = try RunningServer(environment: Self.exactHeap.merging(limits) { $1 })
            let clients = try BadClients(server)
            let sockets = clients.idleSocketCount
            var bytes: [Int] = []
            for _ in 0..<80 {
                try clients.wait(1_000)
                try #require(server.waitForSockets { $0 <= sockets }, "\(server.socketCount)")
                bytes.append(server.residentBytes)
            }
            print("resident after each round: \(bytes)")
            // In the twenty rounds that are counted, twenty bytes that each stream leaves behind are this much.
            #expect(bytes[79] - bytes[59] < 20 * 1_000 * 20, "\(bytes[79] - bytes[59]) bytes")
        }
        print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    }
}
