import Foundation
import Glibc
import MicroHTTP
import SocketTesting
import Testing

@Suite(.serialized) struct InheritedSocketTests {
    /// A listening socket on a free port, as a service manager would hand it over: blocking and kept over exec.
    private func listening() throws -> (descriptor: CInt, port: Int) {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutablePointer(to: &place) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                try #require(bind(descriptor, address, length) == 0)
                try #require(listen(descriptor, 1_024) == 0)
                try #require(getsockname(descriptor, address, &length) == 0)
            }
        }
        return (descriptor, Int(in_port_t(bigEndian: place.sin_port)))
    }

    @Test(arguments: [(1, 1), (1, 4), (2, 2), (2, 3)])
    func everyWorkerAcceptsFromThem(_ socketCount: Int, _ workerCount: Int) throws {
        let threads = Watched<Set<UInt>>([])
        let application = TestApplication(responding: { _, exchange in
            threads.change { _ = $0.insert(pthread_self()) }
            // A worker that is busy leaves the next client to the others.
            usleep(2_000)
            exchange.send(.text(200, "ok"))
        })
        let sockets = try (0..<socketCount).map { _ in try listening() }
        try withServer(
            application,
            configure: {
                $0.inheritedSockets = sockets.map(\.descriptor)
                $0.workerCount = workerCount
                $0.host = "no.such.host.invalid"
            },
            { server in
                #expect(server.address == BoundAddress(host: "127.0.0.1", port: sockets[0].port))
                let deadline = ContinuousClock.now + .seconds(10)
                while threads.read().count < workerCount, ContinuousClock.now < deadline {
                    let clients = try (0..<16).map { number in
                        let port = sockets[number % socketCount].port
                        return try RawClient(BoundAddress(host: "127.0.0.1", port: port))
                    }
                    for client in clients {
                        try client.get("/", extra: "Connection: close\r\n")
                    }
                    for client in clients {
                        #expect(try client.readAnswer().body == "ok")
                    }
                }
                #expect(threads.read().count == workerCount)
            }
        )
    }

    @Test func clientsWaitForTheNextServerOnTheSocket() throws {
        let (descriptor, port) = try listening()
        let address = BoundAddress(host: "127.0.0.1", port: port)
        let kept = dup(descriptor)
        defer { close(kept) }
        try withServer(configure: { $0.inheritedSockets = [descriptor] }) { _ in
            // A worker must not sleep in accept when another was first.
            #expect(fcntl(kept, F_GETFL) & O_NONBLOCK != 0)
            let client = try RawClient(address)
            try client.get("/first")
            #expect(try client.readAnswer().body == "GET [first] ")
        }
        let early = try RawClient(address)
        try early.get("/second")
        let copy = dup(kept)
        try withServer(configure: { $0.inheritedSockets = [copy] }) { _ in
            let answer = try early.readAnswer()
            #expect(answer.body == "GET [second] ")
        }
    }

    @Test func whatDoesNotListenIsReported() throws {
        let unbound = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        let file = open("/dev/null", O_RDONLY)
        let datagram = socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
        let local = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        for descriptor in [unbound, file, datagram, local, 1_000_000, -1] {
            #expect(throws: ServerError.notListening(descriptor: descriptor)) {
                try withServer(configure: { $0.inheritedSockets = [descriptor] }) { _ in }
            }
        }
    }

    /// Identifies an open file; nil if the descriptor is closed.
    private func identity(of descriptor: CInt) -> UInt? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? UInt(status.st_ino) : nil
    }

    @Test func theyAreClosedIfTheStartFails() throws {
        let sockets = try (0..<3).map { _ in try listening().descriptor }
        let identities = sockets.map(identity)
        #expect(throws: ServerError.invalidSetting(name: "workerCount", value: 2, allowed: 3...1_024)) {
            try withServer(configure: { $0.inheritedSockets = sockets }) { _ in }
        }
        // A descriptor that is free may have another file already.
        for (socket, former) in zip(sockets, identities) { #expect(identity(of: socket) != former) }
    }
}
