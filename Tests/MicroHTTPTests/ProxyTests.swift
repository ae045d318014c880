import Foundation
import SocketTesting
import Testing

@testable import MicroHTTP

/// Addresses of clients that trusted proxies send.
struct ProxyTests {
    @Test(
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("192.0.2.1", "192.0.2.1", true),
            ("192.0.2.1", "192.0.2.2", false), ("0.0.0.0/0", "192.0.2.2", true), ("0.0.0.0/0", "2001:db8::1", false),
            ("192.0.2.128/25", "192.0.2.127", false), ("192.0.2.128/25", "::ffff:192.0.2.129", true),
            ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::", false),
            ("2001:db8::/65", "2001:db8::1", true), ("2001:db8::/65", "2001:db8:0:0:8000::", false),
            ("::/0", "192.0.2.2", true), ("::1", "::1", true), ("::1/128", "::2", false),
        ]
    )
    func aRangeHasTheAddressesThatBeginLikeIt(range: String, address: String, isIn: Bool) throws {
        let range = try #require(AddressRange(range))
        #expect(range.contains(try #require(IPAddress(address))) == isIn)
    }

    @Test(
        arguments: [
            "", "localhost", "10.0.0.0/33", "10.0.0.1/8", "10.0.0.0/", "10.0.0.0/08", "10.0.0.0/-1", "10.0.0/8",
            "2001:db8::/129", "2001:db8::1/64", "[::1]", "::1%lo", "10.0.0.0/8/8", " 10.0.0.1",
        ]
    )
    func whatIsNoRangeIsRefused(text: String) {
        #expect(AddressRange(text) == nil)
    }

    @Test(
        arguments: [
            (["192.0.2.7"], "192.0.2.7"), (["192.0.2.7, 10.0.0.1"], "192.0.2.7"),
            // What a client claims stands before the address from which the first trusted proxy got the request.
            (["203.0.113.9, nonsense, 192.0.2.7,10.0.0.1 , 10.0.0.2"], "192.0.2.7"),
            (["203.0.113.9", "192.0.2.7"], "192.0.2.7"), (["192.0.2.7", "10.0.0.1", "10.0.0.2"], "192.0.2.7"),
            (["10.0.0.3, 10.0.0.1"], "10.0.0.3"), (["2001:db8::7"], "2001:db8::7"),
            (["[2001:db8::7]:443"], "2001:db8::7"),
            (["192.0.2.7,"], "192.0.2.7"), (["", "192.0.2.7, ,, 10.0.0.1 ,", ""], "192.0.2.7"),
            (["192.0.2.7:1234"], "192.0.2.7"), (["::ffff:192.0.2.7"], "192.0.2.7"), (["[2001:db8::7]"], "2001:db8::7"),
            (["unknown"], nil), (["192.0.2.7:x"], nil), (["192.0.2.7:70000"], nil),
            (["192.0.2.7, garbage, 10.0.0.1"], nil), (["[::1"], nil), (["[::1]x"], nil), (["1.2.3.4.5"], nil),
        ] as [([String], String?)]
    )
    func theClientIsTheLastAddressThatIsNoProxy(values: [String], client: String?) throws {
        let proxies = [try #require(AddressRange("10.0.0.0/8"))]
        #expect((try? ForwardedFor.client(in: values, behind: proxies))?.text == client)
    }

    private static let signature: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]

    private static func read(_ bytes: [UInt8]) -> ProxyHeader? { bytes.withUnsafeBytes { ProxyHeader($0) } }

    @Test(
        arguments: [
            ("PROXY TCP4 192.0.2.7 10.0.0.1 1234 80\r\n", "192.0.2.7"),
            ("PROXY TCP6 2001:db8::7 ::1 65535 0\r\nGET", "2001:db8::7"), ("PROXY UNKNOWN\r\n", nil),
            ("PROXY UNKNOWN ff:: whatever\r\n", nil),
        ] as [(String, String?)]
    )
    func aLineIsRead(line: String, client: String?) throws {
        let header = try #require(Self.read(Array(line.utf8)))
        #expect(header.client?.text == client)
        #expect(header.byteCount == line.utf8.count - (line.hasSuffix("GET") ? 3 : 0))
    }

    @Test(
        arguments: [
            "", "GET / HTTP/1.1\r\n", "PROXY\r\n", "PROXY TCP4 192.0.2.7 10.0.0.1 1234\r\n",
            "PROXY TCP4 192.0.2.7 10.0.0.1 1234 80", "PROXY TCP4 192.0.2.7 10.0.0.1 1234 80\n",
            "PROXY TCP4 2001:db8::7 10.0.0.1 1234 80\r\n", "PROXY TCP6 192.0.2.7 ::1 1 2\r\n",
            "PROXY TCP4 192.0.2.7 10.0.0.1 99999 80\r\n", "proxy TCP4 192.0.2.7 10.0.0.1 1234 80\r\n",
            "PROXY UNKNOWN " + String(repeating: "x", count: 100) + "\r\n", "PROXY  TCP4 192.0.2.7 10.0.0.1 1 2\r\n",
        ]
    )
    func whatIsNoHeaderIsRefused(line: String) {
        #expect(Self.read(Array(line.utf8)) == nil)
    }

    @Test func bytesAreRead() throws {
        func header(_ command: UInt8, _ family: UInt8, _ rest: [UInt8], length: Int? = nil) -> ProxyHeader? {
            let count = length ?? rest.count
            return Self.read(Self.signature + [command, family, UInt8(count >> 8), UInt8(count & 0xFF)] + rest)
        }
        let ipv4: [UInt8] = [192, 0, 2, 7, 10, 0, 0, 1, 4, 210, 0, 80]
        let ipv6: [UInt8] =
            [0x20, 1, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [7] + Array(repeating: 1, count: 20)
        #expect(header(0x21, 0x11, ipv4)?.client?.text == "192.0.2.7")
        #expect(header(0x21, 0x11, ipv4)?.byteCount == 28)
        #expect(header(0x21, 0x21, ipv6)?.client?.text == "2001:db8::7")
        // Extensions follow the addresses.
        #expect(header(0x21, 0x11, ipv4 + [4, 0, 1, 0])?.byteCount == 32)
        #expect(header(0x20, 0, []) == ProxyHeader(client: nil, byteCount: 16))
        #expect(header(0x21, 0, [9]) == ProxyHeader(client: nil, byteCount: 17))
        for bad in [
            header(0x11, 0x11, ipv4), header(0x22, 0x11, ipv4), header(0x21, 0x31, ipv4),
            header(0x21, 0x11, Array(ipv4.dropLast())), header(0x21, 0x21, ipv4), header(0x21, 0x11, ipv4, length: 13),
        ] { #expect(bad == nil) }
        #expect(Self.read(Array((Self.signature + [0x20, 0, 0, 0]).dropLast())) == nil)
    }

    /// A server that answers with the client's address.
    private func withEcho(_ configure: (inout ServerConfiguration) -> Void, _ body: (BoundAddress) throws -> Void)
        throws
    {
        let application = TestApplication(responding: { request, exchange in
            exchange.send(Response(status: 200, body: Array(request.head.peer.utf8)))
        })
        try withServer(application, configure: configure) { try body($0.address) }
    }

    private let loopback = [AddressRange("127.0.0.0/8")].compactMap(\.self)

    @Test func theHeaderOfATrustedProxyIsBelieved() throws {
        try withEcho({ $0.forwardingProxies = loopback }) { address in
            let client = try RawClient(address)
            func peer(_ extra: String) throws -> String {
                try client.get("/a", extra: extra)
                return try client.readAnswer().body
            }
            #expect(try peer("") == "127.0.0.1")
            #expect(try peer("X-Forwarded-For: 192.0.2.7\r\n") == "192.0.2.7")
            #expect(try peer("x-forwarded-for: 1.1.1.1, 192.0.2.8\r\nX-Forwarded-For: 127.0.0.2\r\n") == "192.0.2.8")
            #expect(try peer("X-Forwarded-For: 192.0.2.9,\r\n") == "192.0.2.9")
            for empty in ["", ",", " , ,"] {
                #expect(try peer("X-Forwarded-For: \(empty)\r\n") == "127.0.0.1")
            }
            try client.get("/a", extra: "X-Forwarded-For: somebody\r\n")
            let refused = try client.readAnswer()
            #expect(refused.status == 400 && refused.body.contains("X-Forwarded-For"))
            #expect(try client.readToEnd().isEmpty)
        }
    }

    @Test func nobodyElsesHeaderIsBelieved() throws {
        let others = [AddressRange("192.0.2.0/24")].compactMap(\.self)
        for configure in [{ _ in }, { $0.forwardingProxies = others }] as [(inout ServerConfiguration) -> Void] {
            try withEcho(configure) { address in
                let client = try RawClient(address)
                for value in ["192.0.2.7", "nonsense"] {
                    try client.get("/a", extra: "X-Forwarded-For: \(value)\r\n")
                    #expect(try client.readAnswer().body == "127.0.0.1")
                }
            }
        }
        try withEcho({ $0.proxyHeaderPeers = others }) { address in
            let client = try RawClient(address)
            try client.send("PROXY TCP4 192.0.2.7 10.0.0.1 1234 80\r\nGET /a HTTP/1.1\r\nHost: test\r\n\r\n")
            #expect(try client.readToEnd().hasPrefix("HTTP/1.1 4"))
            let other = try RawClient(address)
            try other.get("/a")
            #expect(try other.readAnswer().body == "127.0.0.1")
        }
    }

    @Test func aConnectionBeginsWithTheProxysHeader() throws {
        try withEcho({ $0.proxyHeaderPeers = loopback }) { address in
            for (line, peer) in [
                ("PROXY TCP4 192.0.2.7 10.0.0.1 1234 80\r\n", "192.0.2.7"), ("PROXY UNKNOWN\r\n", "127.0.0.1"),
                ("PROXY TCP6 2001:db8::7 ::1 1 2\r\n", "2001:db8::7"),
            ] {
                let client = try RawClient(address)
                try client.send("\(line)GET /a HTTP/1.1\r\nHost: test\r\n\r\n")
                #expect(try client.readAnswer().body == peer)
                // Later requests of the connection have the same client, and a header of a stranger does not count.
                try client.get("/b", extra: "X-Forwarded-For: 203.0.113.1\r\n")
                #expect(try client.readAnswer().body == peer)
                // The header can come before the request.
                let slow = try RawClient(address)
                try slow.send(line)
                #expect(slow.staysOpenAndSilent(milliseconds: 50))
                try slow.get("/a")
                #expect(try slow.readAnswer().body == peer)
            }
            for line in ["GET /a HTTP/1.1\r\nHost: test\r\n\r\n", "PROXY TCP4 nonsense\r\n"] {
                let client = try RawClient(address)
                // The connection can be closed before everything was sent.
                try? client.send(line)
                let answer = try client.readToEnd()
                #expect(answer.isEmpty || answer.starts(with: "HTTP/1.1 400 "), "\(answer)")
            }
        }
    }

    @Test func theTwoWorkTogether() throws {
        let proxies = [AddressRange("192.0.2.0/24")].compactMap(\.self)
        try withEcho({ ($0.proxyHeaderPeers, $0.forwardingProxies) = (loopback, proxies) }) { address in
            let client = try RawClient(address)
            try client.send("PROXY TCP4 192.0.2.7 10.0.0.1 1234 80\r\n")
            try client.get("/a", extra: "X-Forwarded-For: 203.0.113.1\r\n")
            #expect(try client.readAnswer().body == "203.0.113.1")
        }
    }

    /// Connections with a header count for their clients, and requests through a proxy count for theirs while they last.
    @Test func limitsCountTheClientsAndNotTheProxy() throws {
        try withEcho({ ($0.proxyHeaderPeers, $0.connectionsPerAddress) = (loopback, 1) }) { address in
            func connect(_ peer: String) throws -> RawClient {
                let client = try RawClient(address)
                try client.send("PROXY TCP4 \(peer) 10.0.0.1 1234 80\r\nGET /a HTTP/1.1\r\nHost: test\r\n\r\n")
                return client
            }
            let first = try connect("192.0.2.1")
            #expect(try first.readAnswer().body == "192.0.2.1")
            #expect(try connect("192.0.2.2").readAnswer().body == "192.0.2.2")
            let refused = try RawClient(address)
            try? refused.send("PROXY TCP4 192.0.2.1 10.0.0.1 1234 80\r\nGET /a HTTP/1.1\r\nHost: test\r\n\r\n")
            #expect(try refused.readToEnd().isEmpty)
        }
        let waiting = Watched<[Exchange]>([])
        let application = TestApplication(responding: { request, exchange in
            guard request.head.target.path == "/wait" else { return exchange.send(Response(status: 200)) }
            waiting.change { $0.append(exchange) }
        })
        let configure = { (configuration: inout ServerConfiguration) in
            (configuration.forwardingProxies, configuration.connectionsPerAddress) = (self.loopback, 1)
            // A client can read a response before its request has ended. One worker ends it before it reads the next request.
            configuration.workerCount = 1
        }
        try withServer(application, configure: configure) { server in
            let clients = try (0..<3).map { _ in try RawClient(server.address) }
            try clients[0].get("/wait", extra: "X-Forwarded-For: 192.0.2.1\r\n")
            #expect(waiting.wait { $0.count == 1 })
            try clients[1].get("/a", extra: "X-Forwarded-For: 192.0.2.1\r\n")
            #expect(try clients[1].readAnswer().status == 503)
            try clients[2].get("/a", extra: "X-Forwarded-For: 192.0.2.2\r\n")
            #expect(try clients[2].readAnswer().status == 200)
            waiting.change { for exchange in $0 { exchange.send(Response(status: 200)) } }
            #expect(try clients[0].readAnswer().status == 200)
            try clients[1].get("/a", extra: "X-Forwarded-For: 192.0.2.1\r\n")
            #expect(try clients[1].readAnswer().status == 200)
        }
    }
}
