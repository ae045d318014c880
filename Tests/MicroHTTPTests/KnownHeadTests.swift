import MicroHTTP
import SocketTesting
import Testing

/// A worker remembers a head that was accepted twice, and does not parse or admit it again.
struct KnownHeadTests {
    /// A server with one worker that answers with the target's segments and the headers `X`, and counts admissions.
    private func withCounter(
        limitBytes: Int = 1_024,
        configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (BoundAddress, Watched<Int>) throws -> Void
    ) throws {
        let admissions = Watched(0)
        let application = TestApplication(
            admitting: { _ in
                admissions.change { $0 += 1 }
                return .accept(bodyLimitBytes: limitBytes)
            },
            responding: { request, exchange in
                let target = request.head.target
                let query = target.query.map { "\($0.name)=\($0.value ?? "-")" }
                let parts = [request.head.method.rawValue] + target.segments + query + request.head.headers.values("X")
                exchange.send(
                    .text(200, parts.joined(separator: "|") + "|" + String(decoding: request.body, as: UTF8.self))
                )
            }
        )
        try withServer(
            application,
            configure: { configuration in
                configuration.workerCount = 1
                configure(&configuration)
            },
            { try body($0.address, admissions) }
        )
    }

    @Test func theSameHeadIsAdmittedTwice() throws {
        try withCounter { address, admissions in
            for _ in 0..<3 {
                let client = try RawClient(address)
                for number in 0..<4 {
                    try client.post("/a/b?c=d", "\(number)", extra: "X: y\r\n")
                    #expect(try client.readAnswer().body == "POST|a|b|c=d|y|\(number)")
                }
            }
            #expect(admissions.read() == 2)
        }
    }

    @Test(
        arguments: [
            ["/a?b=c", "/a?b&c", "/a=b&c", "/a?b?c"], ["/a?b=c&d=e", "/a?b&c=d&e", "/a=b?c=d&e"],
            ["/a?b=%3D", "/a?b=%26"], ["/%61", "/a"],
        ]
    )
    func targetsThatAreAlikeAreDistinguished(_ targets: [String]) throws {
        try withCounter { address, admissions in
            let client = try RawClient(address)
            /// Each target is known when the next one comes.
            func bodies() throws -> [[String]] {
                try targets.map { target in
                    try (0..<3).map { _ in
                        try client.get(target)
                        return try client.readAnswer().body
                    }
                }
            }
            let first = try bodies()
            #expect(first.allSatisfy { Set($0).count == 1 })
            #expect(try bodies() == first)
            #expect(admissions.read() < 5 * targets.count)
        }
    }

    /// One byte of a head that is known is replaced. The library overwrites separators with NULs, so some of the results look the
    /// same in its memory. The answer must be that of a server which does not know the head.
    @Test(arguments: [
        "GET /a?b=c HTTP/1.1\r\nHost: h\r\nX: y z\r\nCookie: k=v\r\n\r\n", "GET /a HTTP/1.1\r\nX:\r\nHost:h\r\n\r\n",
    ])
    func aHeadThatIsAlikeIsReadAsIfTheOtherWereUnknown(_ head: String) throws {
        let separators: [UInt8] = [0, 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: ":"), UInt8(ascii: "?")]
        try withCounter { fresh, _ in
            try withCounter { knowing, admissions in
                let bytes = Array(head.utf8)
                // Without its last line the head would not end.
                for place in bytes.indices.dropLast(4) {
                    for separator in separators where separator != bytes[place] {
                        var other = bytes
                        other[place] = separator
                        let text = String(decoding: other, as: UTF8.self)
                        let expected = try Self.answer(to: text, from: fresh)
                        _ = try Self.answer(to: head, from: knowing)
                        let answer = try Self.answer(to: text, from: knowing)
                        #expect(answer == expected, "byte \(place): \(separator)")
                    }
                }
                // The head was known all the time.
                let before = admissions.read()
                _ = try Self.answer(to: head, from: knowing)
                #expect(admissions.read() == before)
            }
        }
    }

    /// The client writes the NULs itself by which the library overwrites separators. Then the bytes are the same in its memory, but the
    /// library has found only one header.
    @Test func aHeadWithTheNULsOfAKnownHeadIsRefused() throws {
        try withCounter { address, _ in
            let head = "GET /a HTTP/1.1\r\nHost: h\r\nX: y\r\n\r\n"
            let other = "GET /a HTTP/1.1\r\nHost: h\0\0X\0 y\r\n\r\n"
            for text in [head, head, other, head] {
                let answer = try Self.answer(to: text, from: address) ?? ""
                #expect(answer.hasPrefix(text == other ? "400" : "200 GET|a|y|"), "\(answer)")
            }
        }
    }

    /// The status and the body of the answer to a head; nil: the server closes the connection.
    private static func answer(to head: String, from address: BoundAddress) throws -> String? {
        let client = try RawClient(address)
        try client.send(head)
        client.finishSending()
        guard let answer = try? client.readAnswer() else { return nil }
        // The library's own answers have the time.
        let lines = answer.body.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("Date:") }
        return "\(answer.status) \(lines.joined(separator: "|"))"
    }

    @Test func aLongHeadIsNotRemembered() throws {
        try withCounter { address, admissions in
            let client = try RawClient(address)
            for (length, count) in [(1_500, 2), (3_000, 6)] {
                for _ in 0..<4 {
                    try client.get("/a", extra: "Y: \(String(repeating: "y", count: length))\r\n")
                    #expect(try client.readAnswer().status == 200)
                }
                #expect(admissions.read() == count)
            }
        }
    }

    /// Two thousand heads are remembered. Those that come once are not.
    @Test func headsThatAreRepeatedStay() throws {
        try withCounter { address, admissions in
            let client = try RawClient(address)
            func get(_ target: String) throws {
                try client.get(target)
                #expect(try client.readAnswer().status == 200)
            }
            try get("/often")
            for number in 0..<6_000 {
                try get("/once/\(number)")
                if number.isMultiple(of: 10) { try get("/often") }
            }
            // Few of the heads in between belong to the same set within ten requests.
            #expect(admissions.read() < 6_000 + 10)
        }
    }

    @Test func bodiesOfAKnownHeadAreLimited() throws {
        try withCounter(limitBytes: 4) { address, _ in
            let client = try RawClient(address)
            for (body, status) in [("abc", 200), ("abcde", 413), ("abcd", 200), ("abcdef", 413), ("ab", 200)] {
                try client.postChunked("/a", body, chunkBytes: 2)
                #expect(try client.readAnswer().status == status)
                try client.post("/a", body)
                #expect(try client.readAnswer().status == status)
            }
        }
    }

    /// The same head from another client of a proxy, or of the proxy itself, is not the same request.
    @Test func aKnownHeadBelongsToItsClient() throws {
        let application = TestApplication(responding: { request, exchange in
            exchange.send(Response(status: 200, body: Array(request.head.peer.utf8)))
        })
        let loopback = try #require(AddressRange("127.0.0.0/8"))
        try withServer(application, configure: { ($0.workerCount, $0.proxyHeaderPeers) = (1, [loopback]) }) { server in
            let peers = ["192.0.2.1", "192.0.2.2", "2001:db8::1"]
            for peer in peers + peers + peers {
                let client = try RawClient(server.address)
                try client.send("PROXY TCP\(peer.contains(":") ? "6" : "4") \(peer) \(peer) 1234 80\r\n")
                try client.get("/a")
                #expect(try client.readAnswer().body == peer)
            }
        }
    }

    @Test func aKnownHeadCountsForItsClientsLimit() throws {
        let waiting = Watched<[Exchange]>([])
        let application = TestApplication(responding: { request, exchange in waiting.change { $0.append(exchange) } })
        let loopback = try #require(AddressRange("127.0.0.0/8"))
        try withServer(
            application,
            configure: { ($0.workerCount, $0.forwardingProxies, $0.connectionsPerAddress) = (1, [loopback], 1) },
            { server in
                let clients = try (0..<2).map { _ in try RawClient(server.address) }
                for round in 1...3 {
                    try clients[0].get("/a", extra: "X-Forwarded-For: 192.0.2.1\r\n")
                    #expect(waiting.wait { $0.count == 1 })
                    try clients[1].get("/a", extra: "X-Forwarded-For: 192.0.2.1\r\n")
                    #expect(try clients[1].readAnswer().status == 503, "round \(round)")
                    waiting.change { exchanges in
                        for exchange in exchanges { exchange.send(Response(status: 200)) }
                        exchanges = []
                    }
                    #expect(try clients[0].readAnswer().status == 200)
                }
            }
        )
    }
}
