import FileTesting
import Foundation
import MicroHTTP
import SocketTesting
import Testing

@Suite(.serialized) struct TLSTests {
    private let certificate: TestCertificate

    init() throws {
        certificate = try TestCertificate()
    }

    private func withTLS(
        _ application: TestApplication = TestApplication(),
        configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (Server, String) throws -> Void
    ) throws {
        try withServer(
            application,
            configure: {
                $0.tls = certificate.identity
                configure(&$0)
            },
            { server in
                #expect(server.address.isSecure)
                #expect(server.address.url.hasPrefix("https://127.0.0.1:"))
                try body(server, server.address.url)
            }
        )
    }

    @Test func requestsAndAnswersAreCarried() throws {
        try withTLS { _, url in
            let (get, post) = (try certificate.curl(url + "/a%20b"), try certificate.curl("--data", "x", url + "/a"))
            #expect(get == "GET [a b] ")
            #expect(post == "POST [a] x")
            // One connection for all of them.
            let urls = (0..<20).map { "\(url)/\($0)" }
            let answers = (0..<20).map { "GET [\($0)] " }.joined()
            let output = try run("curl", ["-s", "-k"] + urls)
            #expect(output == answers)
        }
    }

    @Test func largeBodiesAreCarriedBothWays() throws {
        let application = TestApplication(
            admitting: { _ in .accept(bodyLimitBytes: 8 << 20) },
            responding: { request, exchange in
                exchange.wake(after: .milliseconds(20)) { exchange in
                    exchange.send(Response(status: 200, body: request.body))
                }
            }
        )
        let folder = try TemporaryFolder()
        let file = folder.url("body")
        let text = String((0..<500_000).map { "\($0 % 9_973) " }.joined())
        try text.write(to: file, atomically: true, encoding: .utf8)
        try withTLS(application) { _, url in
            let output = try certificate.curl("--data-binary", "@\(file.path)", "-H", "Expect:", url)
            #expect(output == text)
        }
    }

    @Test func streamsAreCarried() throws {
        let application = TestApplication(responding: { _, exchange in
            let stream = exchange.stream(headers: [:])
            @Sendable func tick(_ number: Int, _ stream: BodyStream) {
                guard number < 10 else { return stream.end() }
                stream.write("tick \(number)\n")
                stream.wake(after: .milliseconds(10)) { tick(number + 1, $0) }
            }
            tick(0, stream)
        })
        try withTLS(application) { _, url in
            let output = try certificate.curl("--no-buffer", url)
            #expect(output == (0..<10).map { "tick \($0)\n" }.joined())
            let head = try certificate.curl("--head", url)
            #expect(head.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test func theStopEndsStreamsPolitely() throws {
        let streams = Streams()
        try withTLS(streams.application) { server, url in
            let output = Watched("")
            let isDone = inBackground { [certificate] in
                let text = (try? certificate.curl("--no-buffer", url)) ?? "failed"
                output.change { $0 = text }
            }
            let stream = try #require(streams.last(of: 1))
            stream.write("first\n")
            server.stop(grace: .seconds(30))
            #expect(isDone.wait { $0 })
            #expect(output.read() == "first\nclosing\n")
            #expect(streams.ends.read() == [.stopping])
        }
    }

    @Test func aClientThatFallsBehindOrLeavesIsNoticed() throws {
        let streams = Streams()
        try withTLS(
            streams.application,
            configure: {
                $0.streamBufferBytes = 64 << 10
                $0.streamHeartbeatSeconds = 1
            },
            { _, url in
                let isDone = inBackground { [certificate] in
                    _ = try? certificate.curl("--limit-rate", "1k", "--max-time", "3", url)
                }
                let stream = try #require(streams.last(of: 1))
                let deadline = ContinuousClock.now + .seconds(10)
                while stream.write([UInt8](repeating: 120, count: 1_024)), ContinuousClock.now < deadline {}
                #expect(streams.ends.wait { $0 == [.overflow] })
                #expect(isDone.wait { $0 })
                #expect(throws: CommandFailure.self) { try certificate.curl("--max-time", "1", url) }
                #expect(streams.ends.wait { $0 == [.overflow, .clientLeft] })
            }
        )
    }

    @Test func oldVersionsAndPlainTextAreRefused() throws {
        try withTLS(configure: { $0.requestTimeoutSeconds = 2 }) { server, url in
            let old = ["--tlsv1.0", "--tls-max", "1.1", "--ciphers", "DEFAULT@SECLEVEL=0", "-s", "-k", url]
            #expect(throws: CommandFailure.self) { try run("curl", old) }
            #expect(throws: CommandFailure.self) { try run("curl", "-s", url) }
            let plain = try RawClient(server.address)
            try plain.get("/a")
            #expect(try !plain.readToEnd().contains("HTTP"))
            // Half a greeting does not hold a place either.
            let slow = try RawClient(server.address)
            try slow.send("\u{16}")
            #expect(try slow.readToEnd().utf8.count < 16)
            #expect(try certificate.curl(url + "/a") == "GET [a] ")
        }
    }

    @Test func connectionsThatBeginLaterGetAnotherCertificate() throws {
        let other = try TestCertificate()
        try withTLS { server, url in
            for trusted in [certificate, other, certificate] {
                try server.replaceIdentity(with: trusted.identity)
                #expect(try trusted.curl(url + "/a") == "GET [a] ")
                let untrusting = trusted === other ? certificate : other
                #expect(throws: (any Error).self) { try untrusting.curl(url + "/a") }
                // A key that is not the certificate's changes nothing.
                let mixed = TLSIdentity(
                    certificatePEM: untrusting.identity.certificatePEM,
                    keyPEM: trusted.identity.keyPEM
                )
                #expect(throws: ServerError.self) { try server.replaceIdentity(with: mixed) }
                #expect(try trusted.curl(url + "/b") == "GET [b] ")
            }
        }
    }

    @Test func aServerWithoutTLSGetsNoCertificate() throws {
        let server = Server(
            configuration: ServerConfiguration(host: "127.0.0.1", port: 0),
            application: TestApplication()
        )
        try server.start()
        #expect(throws: ServerError.self) { try server.replaceIdentity(with: certificate.identity) }
        server.stop(grace: .zero)
    }

    @Test func whatIsNoCertificateIsReported() throws {
        let other = try TestCertificate()
        let wrong = [
            TLSIdentity(certificatePEM: "", keyPEM: ""),
            TLSIdentity(certificatePEM: "no PEM", keyPEM: certificate.identity.keyPEM),
            TLSIdentity(certificatePEM: certificate.identity.certificatePEM, keyPEM: "no PEM"),
            TLSIdentity(certificatePEM: certificate.identity.certificatePEM, keyPEM: other.identity.keyPEM),
        ]
        for identity in wrong {
            do throws(ServerError) {
                var configuration = ServerConfiguration(host: "127.0.0.1", port: 0)
                configuration.tls = identity
                try Server(configuration: configuration, application: TestApplication()).start()
                Issue.record("a server started with a wrong certificate")
            } catch {
                guard case .tlsRefused(let reason) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(!reason.isEmpty && !reason.contains("\n") && !reason.contains("BEGIN"))
            }
        }
        #expect(!"\(certificate.identity)".contains("BEGIN"))
    }
}
