import Glibc
import SocketTesting
import Testing

@testable import MicroHTTP

struct OpenFileTests {
    /// In a process whose limit on open files is lowered for good.
    @Test func thereAreAsManyConnectionsAsFilesCanBeOpen() async {
        await #expect(processExitsWith: .success) {
            for (openFiles, connections) in [(1_001, 590), (500, 250), (40, 20)] {
                var limit = rlimit(rlim_cur: rlim_t(openFiles), rlim_max: rlim_t(openFiles))
                try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
                try withServer { server in
                    #expect(server.capacity.connections == connections)
                    let client = try RawClient(server.address)
                    try client.get("/a")
                    #expect(try client.readAnswer().status == 200)
                }
            }
        }
    }
}
