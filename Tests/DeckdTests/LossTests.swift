import Foundation
import Testing

struct LossTests {
    /// Has `deckd serve` live through clients that leave in every way there is, round after round, and counts what it
    /// holds afterwards. The clients have a process to themselves, so that no other test's child keeps them open.
    @Test func clientsThatLeaveTakeNothingAlong() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let folder = FileManager.default.temporaryDirectory.appending(path: "deckd-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            // One heap, so that what each thread's own keeps in reserve is not taken for a loss.
            let server = try RunningServer(
                environment: ["DECKD_LIMITS_STREAM_HEARTBEAT_SECONDS": "1", "MALLOC_ARENA_MAX": "1"],
                data: folder.appending(path: "deckd.sqlite").path
            )
            var clients = try BadClients(server)
            // The first rounds fill pools and caches and open what is opened once.
            for _ in 0..<4 { try clients.run() }
            usleep(3_000_000)
            let descriptors = server.descriptorCount
            var bytes = [server.residentBytes]
            for _ in 0..<4 {
                try clients.run()
                #expect(server.waitForDescriptors { $0 <= descriptors }, "\(server.descriptorCount) of \(descriptors)")
                bytes.append(server.residentBytes)
            }
            try clients.checkVerdicts(after: 8)
            print("\(descriptors) descriptors; resident after each round: \(bytes)")
            #expect(try #require(bytes.last) - bytes[0] < 8 << 20)
            #expect(server.stop(SIGTERM) == .exit(0))
        }
        print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    }
}
