import FileTesting
import Foundation
import JournalTesting
import SocketTesting
import Testing

/// What `deckd serve` says of a database that it cannot use, as `docs/operations.md` lists it.
@Suite(.serialized) struct DatabaseComplaintTests {
    private func complaint(_ address: String) throws -> String {
        let result = try Command.run("serve", "--port", "0", "--data", address)
        #expect(result.status == 1)
        return result.complaint ?? "\(result)"
    }

    @Test func aWrongPasswordAndAStandbyAreRefused() throws {
        let cluster = try Cluster(makeKey("test"), nodeCount: 1)
        let primary = "127.0.0.1:\(cluster.databasePort)/deckd"
        #expect(try complaint("postgres://deckd:wrong@\(primary)").contains("password authentication failed"))
        #expect(try complaint("postgres://deckd@\(primary)?passfile=/nonexistent").contains("no password supplied"))
        let standby = "127.0.0.1:\(cluster.databasePort + 1)/deckd?passfile=\(cluster.passfile)"
        #expect(try complaint("postgres://deckd@\(standby)").contains("read-only"))
        let writable = try complaint("postgres://deckd@\(standby)&target_session_attrs=read-write")
        #expect(writable.contains("session is read-only"))
        #expect(!writable.contains(cluster.passfile))
        let folder = try TemporaryFolder(isQuick: true)
        let target = folder.file("deckd.sqlite")
        let refusal = try Command.run("import", "--from", "postgres://deckd@\(standby)", "--to", target)
        #expect(refusal.errors.contains("it is a standby, which can lack commits"), "\(refusal)")
    }

    /// With `sslmode=verify-full`, a server must have the right certificate.
    @Test func theCertificateOfADatabaseIsChecked() throws {
        let cluster = try Cluster(makeKey("test"), nodeCount: 1)
        let (certificate, other) = (try Certificate(), try Certificate())
        let address =
            "postgres://deckd@127.0.0.1:\(cluster.databasePort)/deckd?passfile=\(cluster.passfile)"
            + "&application_name=encrypted&sslmode=verify-full&sslrootcert="
        #expect(try complaint(address + certificate.certificate).contains("server does not support SSL"))
        try cluster.offerTLS(certificate)
        #expect(try complaint(address + other.certificate).contains("certificate verify failed"))
        let server = try RunningServer(data: address + certificate.certificate)
        _ = try server.port()
        let connections = """
            SELECT count(*) FILTER (WHERE ssl) > 0 AND bool_and(ssl)
            FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'encrypted'
            """
        #expect(try cluster.query(connections) == "t")
        #expect(server.stop(SIGTERM) == .exit(0))
    }

    @Test func databasesInAnotherOrderAreRefused() throws {
        let (first, second) = (try PostgreSQLServer.newAddress(), try PostgreSQLServer.newAddress())
        let server = try RunningServer(data: "\(first) \(second)")
        _ = try server.port()
        #expect(server.stop(SIGTERM) == .exit(0))
        let line = try complaint("\(second) \(first)")
        let reason = "it is number 2 of 2 of the journal's databases, not number 1 of 2"
        #expect(line.hasSuffix(": The journal is unavailable: \(reason)."), "\(line)")
        #expect(line.matches(of: /The journal is unavailable/).count == 1, "\(line)")
    }

    /// A name that is mistyped, as on one of several nodes.
    @Test func anEmptyDatabaseIsNotTakenIntoAJournal() throws {
        let addresses = try (0..<3).map { _ in try PostgreSQLServer.newAddress() }
        let server = try RunningServer(data: "\(addresses[0]) \(addresses[1])")
        _ = try server.port()
        #expect(server.stop(SIGTERM) == .exit(0))
        for _ in 0..<2 {
            let line = try complaint("\(addresses[0]) \(addresses[2])")
            #expect(line.contains("it is empty, and the first database is not; correct the names"), "\(line)")
            #expect(line.contains(try #require(addresses[2].firstMatch(of: /journal_[0-9a-f]+/)).0), "\(line)")
        }
        let again = try RunningServer(data: "\(addresses[0]) \(addresses[1])")
        _ = try again.port()
        #expect(again.stop(SIGTERM) == .exit(0))
    }

    @Test func aLaterFormatAndMissingPrivilegesAreRefused() throws {
        let address = try PostgreSQLServer.newAddress()
        let server = try RunningServer(data: address)
        _ = try server.port()
        #expect(server.stop(SIGTERM) == .exit(0))
        let user = "stranger_\(UUID().uuidString.prefix(8).lowercased())"
        try PostgreSQLServer.run("CREATE ROLE \(user) LOGIN", at: address)
        let theirs = address.replacing("user=deckd", with: "user=\(user)")
        #expect(try complaint(theirs).contains("permission denied"))
        try PostgreSQLServer.run("UPDATE meta SET format = 9, usable_by = 9", at: address)
        #expect(try complaint(address).contains("only a later version of deckd can read"))
        #expect(try complaint("\(address) \(address)").contains("only a later version of deckd can read"))
        #expect(try complaint("postgres://127.0.0.1:1/deckd").contains("Connection refused"))
        let many = Array(repeating: address, count: 65).joined(separator: " ")
        let result = try Command.run("serve", "--port", "0", "--data", many)
        #expect(result.status == 2 && result.complaint?.contains("at most 64 are possible") == true)
    }

    @Test func aDatabaseThatCannotStoreAllCharactersIsRefused() throws {
        let address = try PostgreSQLServer.newAddress()
        let name = "latin_\(UUID().uuidString.prefix(8).lowercased())"
        let options = "ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
        try PostgreSQLServer.run("CREATE DATABASE \(name) \(options)", at: address)
        let latin = address.replacing("postgres:///postgres?", with: "postgres:///\(name)?")
        try #require(latin != address)
        #expect(try complaint(latin).contains("the database has the encoding LATIN1"))
    }

    /// Another node migrates the tables. A start that waits for it says so, and can be stopped.
    @Test func aStartThatWaitsForAMigrationCanBeStopped() throws {
        let address = try PostgreSQLServer.newAddress()
        try duringAMigration(of: address) {
            let server = try RunningServer(data: address)
            let log = server.errors.wait { $0.contains("opening the data takes long") }
            #expect(log.contains("opening the data takes long"), "\(log)")
            #expect(server.stop(SIGTERM) == .exit(0))
            #expect(server.errors.readToEnd().contains("stopped before the data were open"))
        }
    }

    @Test func anImportThatWaitsForAMigrationSaysSo() throws {
        let folder = try TemporaryFolder(isQuick: true)
        let address = try PostgreSQLServer.newAddress()
        let server = try RunningServer(data: address)
        _ = try server.port()
        #expect(server.stop(SIGTERM) == .exit(0))
        try duringAMigration(of: address) {
            let (output, errors) = (Stream(), Stream())
            let arguments = ["import", "--from", address, "--to", folder.file("deckd.sqlite")]
            let child = try Command.start(Command.executable, arguments, [:], output: output, errors: errors)
            let log = errors.wait { $0.contains("opening the data takes long") }
            #expect(log.contains("opening the data takes long"), "\(log)")
            child.send(SIGKILL)
            _ = child.wait()
        }
    }

    /// Runs the body while the tables of a database are locked as if another node migrated them.
    private func duringAMigration(of address: String, _ body: () throws -> Void) throws {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            // Ended with its connection.
            _ = try? PostgreSQLServer.run("SELECT pg_advisory_lock(1684366187), pg_sleep(60)", at: address)
            done.signal()
        }
        let lock = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 1684366187 AND granted"
        while try PostgreSQLServer.run(lock, at: address) != "1" { usleep(10_000) }
        try body()
        try PostgreSQLServer.cutConnections(of: address)
        done.wait()
    }

    /// The file system of the database takes no more: what does not fit is refused, and the rest continues.
    @Test func aFullDiskRefusesWhatDoesNotFit() throws {
        let nodes = try Nodes(count: 1)
        let address = nodes.addresses[0]
        func put(_ deck: String, _ cardCount: Int) -> Int? {
            let cards = (0..<cardCount).map { index in
                let text = (0..<10).map { _ in UUID().uuidString }.joined()
                return #"{"id":"\#(index)","data":"\#(text)"}"#
            }
            let body = #"{"cards":[\#(cards.joined(separator: ","))]}"#
            let fields = ["Authorization: Bearer \(nodes.key.secret)"]
            return Answer(nodes.ports[0], "PUT", "/v1/decks/\(deck)", body, headers: fields)?.status
        }
        // The log of the server is in files of 16 MiB, which must be writable.
        try PostgreSQLServer.limitFiles(to: 16 << 20, at: address)
        let statuses = (0..<12).map { put("large\($0)", 9000) }
        #expect(statuses.first == 201 && statuses.last == 503, "\(statuses)")
        // The tables of sessions have room.
        let session = #"{"deck":{"count":3},"viewport":{"width":9,"height":9}}"#
        let fields = ["Authorization: Bearer \(nodes.key.secret)"]
        #expect(Answer(nodes.ports[0], "POST", "/v1/sessions", session, headers: fields)?.status == 201)
        try PostgreSQLServer.limitFiles(to: nil, at: address)
        #expect(put("more", 9000) == 201)
        nodes.stop()
    }
}
