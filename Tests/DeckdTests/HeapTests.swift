import Glibc
import SocketTesting
import Testing

struct HeapTests {
    /// jemalloc waits 0.1 s before it returns memory here, and not the default of 10 s.
    @Test func memoryOfSessionsThatHaveEndedReturnsToTheSystem() throws {
        let server = try RunningServer(environment: ["MALLOC_CONF": "dirty_decay_ms:100,muzzy_decay_ms:0"])
        let port = try server.port()
        let before = server.residentBytes
        let sessions = try (0..<100).map { _ in try AttackClient.begin(LargeSession.request, port: port) }
        let used = server.residentBytes - before
        #expect(used > 40 << 20)
        for session in sessions { #expect(Answer(port, "DELETE", session)?.status == 204) }
        let deadline = ContinuousClock.now + .seconds(30)
        while server.residentBytes - before > used / 4, ContinuousClock.now < deadline { usleep(100_000) }
        let kept = server.residentBytes - before
        print("the server keeps \(kept) of \(used) bytes")
        // A sanitizer has another heap.
        #expect(Sanitizer.isOn || kept <= used / 4)
        // The few allocations of an idle server make jemalloc return memory, too, but only seconds later.
        #expect(Sanitizer.isOn || server.threadNames.contains("jemalloc_bg_thd"))
        #expect(server.stop(SIGTERM) == .exit(0))
    }
}
