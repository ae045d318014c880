import Foundation
import SocketTesting
import Testing

struct HeapTests {
    /// A session with half a megabyte of cards.
    private static let session: String = {
        let data = String(repeating: "x", count: 16_000)
        let cards = (0..<32).map { #"{"id":"\#($0)","data":"\#(data)"}"# }.joined(separator: ",")
        return #"{"deck":{"cards":[\#(cards)]},"clock":"manual","viewport":{"width":300,"height":400}}"#
    }()

    /// jemalloc waits 0.1 s before it returns memory here, and not the default of 10 s.
    @Test func memoryOfSessionsThatHaveEndedReturnsToTheSystem() throws {
        let server = try RunningServer(environment: ["MALLOC_CONF": "dirty_decay_ms:100,muzzy_decay_ms:0"])
        let port = try server.port()
        let before = server.residentBytes
        let sessions = try (0..<100).map { _ in try AttackClient.begin(Self.session, port: port) }
        let used = server.residentBytes - before
        #expect(used > 40 << 20)
        for session in sessions { #expect(Answer(port, "DELETE", session)?.status == 204) }
        let deadline = ContinuousClock.now + .seconds(30)
        while server.residentBytes - before > used / 4, ContinuousClock.now < deadline { usleep(100_000) }
        let kept = server.residentBytes - before
        print("of \(used) bytes \(kept) are kept")
        // A sanitizer has another heap.
        #expect(Sanitizer.isOn || kept <= used / 4)
        // The few allocations of an idle server make jemalloc return memory, too, but only seconds later.
        #expect(Sanitizer.isOn || threads(of: server).contains("jemalloc_bg_thd"))
        #expect(server.stop(SIGTERM) == .exit(0))
    }

    /// The names of a server's threads.
    private func threads(of server: RunningServer) -> [String] {
        let folder = "/proc/\(server.child.id)/task"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let names = numbers.compactMap { try? String(contentsOfFile: "\(folder)/\($0)/comm", encoding: .utf8) }
        return names.map { $0.trimmingCharacters(in: .newlines) }
    }
}
