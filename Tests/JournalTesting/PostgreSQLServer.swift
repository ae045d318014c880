import FileTesting
import Foundation
internal import Glibc

/// A PostgreSQL server for the tests of a process, which ends with the process. It keeps its files in memory, if the system
/// has a place for that, and never waits for a disk.
package final class PostgreSQLServer: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The server, started when it is first needed.
    private static let shared = Result { try PostgreSQLServer() }

    private let folder: TemporaryFolder
    private let process: pid_t

    /// The address of a schema that does not exist yet.
    package static func newAddress() throws -> String {
        let folder = try shared.get().folder
        let schema = "journal_\(UUID().uuidString.replacing("-", with: "").lowercased())"
        return "postgres:///postgres?host=\(folder.path)&user=deckd&application_name=\(schema)"
            + "&options=-csearch_path%3D\(schema)"
    }

    /// The address of a schema that does not exist yet, in a new database.
    package static func newDatabase() throws -> String {
        let address = try newAddress()
        let name = "database_\(UUID().uuidString.prefix(8).lowercased())"
        try run("CREATE DATABASE \(name)", at: address)
        return address.replacing("/postgres?", with: "/\(name)?")
    }

    /// Runs SQL in the schema of an address, and returns what psql prints, without headers.
    @discardableResult
    package static func run(_ sql: String, at address: String) throws -> String {
        try output("\(try programs())/psql", address, "--no-psqlrc", "--tuples-only", "--no-align", "--command=\(sql)")
    }

    /// Finds all other connections with an address.
    private static let others = """
        FROM pg_stat_activity WHERE application_name = current_setting('application_name') AND pid <> pg_backend_pid()
        """

    /// The words before a command that runs as the server's user. PostgreSQL refuses to run as root. On a machine where the
    /// tests do, its package has made a user for it.
    private static var user: [String] {
        geteuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
    }

    /// Ends all other connections with an address.
    package static func cutConnections(of address: String) throws {
        try run("SELECT pg_terminate_backend(pid) \(others)", at: address)
    }

    /// Remembers the rows of a schema.
    package static func remember(_ address: String) throws {
        try forEachTable("CREATE TABLE %3$I.%2$I AS TABLE %1$I.%2$I", at: address)
    }

    /// Loses everything that was committed since the rows were remembered, as a standby does that is promoted without it.
    ///
    /// - Parameter cuttingConnections: false: as a restore of a dump does.
    package static func loseCommits(of address: String, cuttingConnections: Bool = true) throws {
        let copy = "INSERT INTO %1$I.%2$I OVERRIDING SYSTEM VALUE SELECT * FROM %3$I.%2$I"
        try forEachTable("DELETE FROM %1$I.%2$I; \(copy)", at: address)
        if cuttingConnections { try cutConnections(of: address) }
    }

    /// Writes a dump of a database into a file.
    package static func dump(_ address: String, to file: String) throws {
        _ = try output("\(try programs())/pg_dump", "--format=custom", "--file=\(file)", "--dbname=\(address)")
    }

    /// Restores a dump while the database is in use. If nodes hold locks in another order, the server ends the restore, which has changed
    /// nothing then and is tried again.
    package static func restore(_ address: String, from file: String) throws {
        let options = ["--clean", "--if-exists", "--single-transaction", "--dbname=\(address)", file]
        let command = ["\(try programs())/pg_restore"] + options
        for _ in 0..<9 where (try? output(command)) != nil { return }
        _ = try output(command)
    }

    /// - Parameter action: `%1$I` stands for the schema, `%2$I` for the table, `%3$I` for the schema of the remembered rows.
    private static func forEachTable(_ action: String, at address: String) throws {
        let sql = """
            DO $$ DECLARE name text; remembered text := current_schema() || '_remembered'; BEGIN
                EXECUTE format('CREATE SCHEMA IF NOT EXISTS %I', remembered);
                FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
                    EXECUTE format('\(action)', current_schema(), name, remembered);
                END LOOP;
            END $$
            """
        try run(sql, at: address)
    }

    /// Lets all other connections with an address write no file beyond a size, as if the disk were full; nil: they may again.
    package static func limitFiles(to bytes: Int?, at address: String) throws {
        let limit = bytes.map { "\($0)" } ?? "unlimited"
        for process in try run("SELECT pid \(others)", at: address).split(separator: "\n") {
            _ = try output(user + ["prlimit", "--pid", "\(process)", "--fsize=\(limit):"])
        }
    }

    /// The folder of PostgreSQL's programs.
    private static func programs() throws -> String {
        try output("pg_config", "--bindir")
    }

    private init() throws {
        folder = try TemporaryFolder(isQuick: true)
        let data = folder.file("data")
        let programs = try Self.programs()
        if geteuid() == 0 { _ = try Self.output("chown", "postgres:postgres", folder.path) }
        let prefix = Self.user.isEmpty ? [] : Self.user + ["--pdeathsig=QUIT"]
        let make = ["\(programs)/initdb", "--pgdata=\(data)", "--auth=trust", "--username=deckd", "--no-sync"]
        _ = try Self.output(prefix + make + ["--encoding=UTF8", "--locale=C"])
        let settings = [
            "unix_socket_directories=\(folder.path)", "listen_addresses=", "fsync=off", "full_page_writes=off",
            "max_connections=400", "log_min_messages=panic",
        ]
        let command = prefix + ["\(programs)/postgres", "-D", data] + settings.flatMap { ["-c", $0] }
        process = try Self.start(command)
        try waitUntilReady("\(programs)/pg_isready")
        Self.endWithTheProcess(process, folder.path)
    }

    private func waitUntilReady(_ program: String) throws {
        for _ in 0..<300 {
            if (try? Self.output(program, "--host=\(folder.path)", "--username=deckd", "--dbname=postgres")) != nil {
                return
            }
            Thread.sleep(forTimeInterval: 0.1)
        }
        throw Failure(description: "PostgreSQL does not start")
    }

    /// The signal at the end of its parent comes when the thread ends that has started it, so this one never does.
    private static func start(_ command: [String]) throws -> pid_t {
        let started = DispatchSemaphore(value: 0)
        let result = Started()
        Thread.detachNewThread {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = command
            process.standardOutput = FileHandle.nullDevice
            result.value = Result {
                try process.run()
                return process.processIdentifier
            }
            started.signal()
            while true { sleep(.max) }
        }
        started.wait()
        return try result.value.get()
    }

    /// Unchecked because it is written before the semaphore is signalled, and read after that.
    private final class Started: @unchecked Sendable {
        var value: Result<pid_t, any Error> = .failure(Failure(description: "it was not started"))
    }

    nonisolated(unsafe) private static var atExit: (process: pid_t, folder: String)?

    private static func endWithTheProcess(_ process: pid_t, _ folder: String) {
        atExit = (process, folder)
        atexit {
            guard let (process, folder) = PostgreSQLServer.atExit else { return }
            kill(process, SIGQUIT)
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    private static func output(_ command: String...) throws -> String {
        try output(command)
    }

    private static func output(_ command: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(command.joined(separator: " ")): \(said)")
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
