import Foundation
import Glibc
import SocketTesting
import Testing

@testable import MicroHTTP

struct AddressLimitTests {
    @Test func anAddressHasSoManyConnectionsOnly() throws {
        try withServer(configure: { $0.connectionsPerAddress = 4 }) { server in
            var clients = try (0..<4).map { _ in try RawClient(server.address) }
            for client in clients {
                try client.get("/a")
                #expect(try client.readAnswer().status == 200)
            }
            for _ in 0..<20 {
                let refused = try RawClient(server.address)
                try? refused.get("/a")
                #expect(try refused.readToEnd().isEmpty)
            }
            clients.removeLast()
            // The server learns of the place a moment later.
            let deadline = ContinuousClock.now + .seconds(10)
            while ContinuousClock.now < deadline {
                let next = try RawClient(server.address)
                try? next.get("/a")
                if (try? next.readAnswer().status) == 200 { return }
            }
            Issue.record("the place of a client that left is not given to another")
        }
    }

    @Test func withoutALimitThereIsNone() throws {
        try withServer { server in
            let clients = try (0..<200).map { _ in try RawClient(server.address) }
            for client in clients {
                try client.get("/a")
                #expect(try client.readAnswer().status == 200)
            }
        }
    }

    @Test func addressesAreCountedEachForItself() throws {
        func clientAddress(_ pointer: UnsafePointer<sockaddr>) -> ClientAddress? {
            IPAddress(pointer).map { ClientAddress($0) }
        }
        func address(_ text: String) throws -> ClientAddress {
            var four = sockaddr_in()
            four.sin_family = sa_family_t(AF_INET)
            if inet_pton(AF_INET, text, &four.sin_addr) == 1 {
                return try #require(
                    withUnsafePointer(to: four) { pointer in
                        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { clientAddress($0) }
                    }
                )
            }
            var six = sockaddr_in6()
            six.sin6_family = sa_family_t(AF_INET6)
            try #require(inet_pton(AF_INET6, text, &six.sin6_addr) == 1)
            return try #require(
                withUnsafePointer(to: six) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { clientAddress($0) }
                }
            )
        }
        #expect(try address("192.0.2.1") == address("::ffff:192.0.2.1"))
        #expect(try address("192.0.2.1") != address("192.0.2.2"))
        #expect(try address("2001:db8:0:1::1") == address("2001:db8:0:1:2:3:4:5"))
        #expect(try address("2001:db8:0:1::1") != address("2001:db8:0:2::1"))
        let counts = AddressCounts(limit: 2)
        let (one, other) = (try address("192.0.2.1"), try address("192.0.2.2"))
        #expect(counts.enter(one))
        #expect(counts.enter(one))
        #expect(!counts.enter(one))
        #expect(counts.enter(other))
        counts.leave(one)
        counts.leave(one)
        #expect(counts.enter(one))
    }
}
