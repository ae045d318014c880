import Foundation
import Glibc
import MicroHTTP
import SocketTesting
import Testing

@Suite(.serialized) struct ServerTests {
    @Test func aHeldPortIsReported() throws {
        try withServer { first in
            let place = first.address
            #expect(throws: ServerError.portInUse(host: "127.0.0.1", port: place.port)) {
                try withServer(configure: { $0.port = place.port }) { _ in }
            }
            try withServer { second in
                #expect(second.address.port != place.port)
                for server in [first, second] {
                    let client = try RawClient(server.address)
                    try client.get("/a")
                    #expect(try client.readAnswer().status == 200)
                }
            }
        }
    }

    @Test func aStoppedServersPortCanBeTakenAgain() throws {
        let port = try withServer { server in
            let client = try RawClient(server.address)
            try client.get("/a", extra: "Connection: close\r\n")
            #expect(try client.readAnswer().status == 200)
            return server.address.port
        }
        try withServer(configure: { $0.port = port }) { server in
            #expect(server.address.port == port)
        }
    }

    private static let hasIPv6 = (try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8).isEmpty) == false

    @Test(.enabled(if: hasIPv6)) func aServerListensOnIPv6() throws {
        for host in ["::1", "[::1]"] {
            try withServer(configure: { $0.host = host }) { server in
                #expect(server.address.host == "::1")
                #expect(server.address.url == "http://[::1]:\(server.address.port)")
                let client = try RawClient(server.address)
                try client.get("/a")
                #expect(try client.readAnswer().body == "GET [a] ")
            }
        }
        try withServer(configure: { $0.host = "::" }) { server in
            let client = try RawClient(BoundAddress(host: "127.0.0.1", port: server.address.port))
            try client.get("/a")
            #expect(try client.readAnswer().body == "GET [a] ")
        }
    }

    @Test func whatCannotBeListenedOnIsReported() {
        #expect(throws: ServerError.addressNotAvailable(host: "192.0.2.1")) {
            try withServer(configure: { $0.host = "192.0.2.1" }) { _ in }
        }
        for host in ["", "no.such.host.invalid"] {
            do throws(ServerError) {
                let configuration = ServerConfiguration(host: host, port: 0)
                try Server(configuration: configuration, application: TestApplication())
                    .start()
                Issue.record("a server listens on \(host)")
            } catch {
                guard case .cannotResolve(host, _) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(!error.description.contains("\n"))
            }
        }
        #expect(throws: ServerError.invalidSetting(name: "port", value: 65_536, allowed: 0...65_535)) {
            try withServer(configure: { $0.port = 65_536 }) { _ in }
        }
        #expect(throws: ServerError.invalidSetting(name: "workerCount", value: 0, allowed: 1...1_024)) {
            try withServer(configure: { $0.workerCount = 0 }) { _ in }
        }
    }

    @Test func aServerStartsOnce() throws {
        try withServer { server in
            #expect(throws: ServerError.alreadyStarted) { try server.start() }
            let client = try RawClient(server.address)
            try client.get("/a")
            #expect(try client.readAnswer().status == 200)
        }
        #expect(Server.libraryVersion.hasPrefix("0.9.") || Server.libraryVersion.hasPrefix("1."))
    }

    @Test func idleConnectionsAreClosed() throws {
        try withServer(configure: { $0.idleTimeoutSeconds = 1 }) { server in
            let silent = try RawClient(server.address)
            let slow = try RawClient(server.address)
            try slow.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\nab")
            let kept = try RawClient(server.address)
            try kept.get("/a")
            #expect(try kept.readAnswer().status == 200)
            for client in [silent, slow, kept] {
                #expect(try client.readToEnd().isEmpty)
            }
        }
    }

    @Test func aRequestMayWaitLongerThanTheIdleTimeout() throws {
        let application = TestApplication(responding: { _, exchange in
            exchange.wake(after: .milliseconds(2_500)) { $0.send(.text(200, "late")) }
        })
        try withServer(application, configure: { $0.idleTimeoutSeconds = 1 }) { server in
            let client = try RawClient(server.address)
            try client.get("/")
            #expect(try client.readAnswer().body == "late")
        }
    }

    @Test func clientsBeyondTheLimitWaitForTheirTurn() throws {
        try withServer(
            configure: {
                $0.workerCount = 1
                $0.connectionLimit = 2
            },
            { server in
                var clients = try (0..<2).map { _ in try RawClient(server.address) }
                for client in clients {
                    try client.get("/a")
                    #expect(try client.readAnswer().status == 200)
                }
                let third = try RawClient(server.address)
                try third.get("/third")
                clients.removeFirst()
                #expect(try third.readAnswer().body == "GET [third] ")
            }
        )
    }
}
