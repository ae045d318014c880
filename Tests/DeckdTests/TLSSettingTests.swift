import FileTesting
import Foundation
import Testing

/// `tls.certificate` and `tls.key`.
@Suite struct TLSSettingTests {
    /// One line that says what is wrong, from both commands, and not a word of what the files hold.
    private func refusal(_ certificate: String?, _ key: String?) throws -> String {
        var environment: [String: String] = [:]
        environment["DECKD_TLS_CERTIFICATE"] = certificate
        environment["DECKD_TLS_KEY"] = key
        let check = try Command.run("check-config", environment: environment)
        let serve = try Command.run("serve", "--port", "0", "--data", ":memory:", environment: environment)
        #expect(check.status == 2 && serve.status == 2, "\(check) \(serve)")
        #expect(check.errors == serve.errors)
        let line = try #require(check.complaint, "\(check)")
        #expect(line.hasPrefix("deckd: ") && !line.contains("BEGIN"))
        return line
    }

    @Test func decksAndFramesAreServedOverTLS() throws {
        let certificate = try Certificate()
        let server = try RunningServer(environment: certificate.environment)
        let url = try server.url()
        #expect(url.scheme == "https")
        #expect(try server.greeting().contains("'\(url.absoluteString)/v1/sessions'"))
        let body = #"{"deck": "sample", "viewport": {"width": 375, "height": 600}}"#
        let session = try certificate.curl("--json", body, "\(url)/v1/sessions").output
        let id = try #require(session.firstMatch(of: /"id":"([^"]+)"/)).1
        let frame = try certificate.curl("\(url)/v1/sessions/\(id)/frame")
        #expect(frame.status == 0 && frame.output.contains(#""role":"front""#), "\(frame)")
        // A client that uses plain text, or does not know the certificate, gets nothing.
        for stranger in ["\(url)/v1/decks", "http://127.0.0.1:\(try server.port())/v1/decks"] {
            #expect(try Command.run("/usr/bin/env", ["curl", "-sS", stranger]).status != 0)
        }
        #expect(server.stop(SIGTERM) == .exit(0))
        let log = server.errors.readToEnd() + server.output.readToEnd()
        #expect(!log.contains("BEGIN"))
    }

    @Test func theFilesAreSettingsLikeAllOthers() throws {
        let certificate = try Certificate()
        let shown = try Command.run("check-config", environment: certificate.environment)
        #expect(shown.status == 0)
        #expect(shown.output.contains("tls:\n  certificate: \(certificate.certificate)\n  key: \(certificate.key)\n"))
        #expect(!shown.output.contains("BEGIN"))
        try Command.withFile(shown.output) { path in
            let again = try Command.run("check-config", "--config", path)
            #expect(again.output == shown.output)
        }
    }

    @Test func oneWithoutTheOtherIsRefused() throws {
        let certificate = try Certificate()
        #expect(try refusal(certificate.certificate, nil).contains("tls.key is not"))
        #expect(try refusal(nil, certificate.key).contains("tls.certificate is not"))
    }

    @Test func filesThatCannotBeReadAreNamed() throws {
        let certificate = try Certificate()
        let folder = certificate.folder.path
        for (path, reason) in [("/nowhere/at.pem", "No such file or directory"), (folder, "Is a directory")] {
            let end = "the file \(path) cannot be read: \(reason)"
            #expect(try refusal(path, certificate.key) == "deckd: DECKD_TLS_CERTIFICATE: tls.certificate: \(end)")
            #expect(try refusal(certificate.certificate, path) == "deckd: DECKD_TLS_KEY: tls.key: \(end)")
        }
    }

    @Test func filesThatHoldSomethingElseAreNamed() throws {
        let certificate = try Certificate()
        let locked = certificate.folder.file("locked.pem")
        try certificate.openssl(["pkey", "-in", certificate.key, "-aes128", "-passout", "pass:secret", "-out", locked])
        #expect(try refusal(certificate.key, certificate.key).contains("tls.certificate"))
        #expect(try refusal(certificate.certificate, certificate.certificate).contains("no private key"))
        #expect(try refusal(certificate.certificate, "/dev/null").contains("no private key"))
        #expect(try refusal(certificate.certificate, locked).contains("password"))
    }

    @Test func whatDoesNotBelongTogetherIsOneLineAndStatus1() throws {
        let (one, other) = (try Certificate(), try Certificate())
        let broken = one.folder.file("broken.pem")
        let begin = "-----BEGIN CERTIFICATE-----\n", end = "-----END CERTIFICATE-----\n"
        try (begin + "AAAA\n" + end).write(toFile: broken, atomically: true, encoding: .utf8)
        for (certificate, key) in [(one.certificate, other.key), (broken, one.key)] {
            let environment = ["DECKD_TLS_CERTIFICATE": certificate, "DECKD_TLS_KEY": key]
            let result = try Command.run("serve", "--port", "0", "--data", ":memory:", environment: environment)
            #expect(result.status == 1)
            let line = try #require(result.complaint, "\(result)")
            #expect(line.hasPrefix("deckd: the certificate or its key cannot be used: "), "\(line)")
            #expect(!line.contains("BEGIN"))
        }
    }
}
