import FileTesting
import Foundation
import SocketTesting
import Testing

/// A backup, made as `docs/operations.md` says.
struct BackupTests {
    @Test func aBackupIsMadeWhileTheServerRunsAndHasAllThatWasAnswered() throws {
        let folder = try TemporaryFolder()
        let page = try String(contentsOf: Command.repository.appending(path: "docs/operations.md"), encoding: .utf8)
        let command = try #require(page.split(separator: "```sh\n").dropFirst().first?.split(separator: "```").first)
        let data = folder.file("deckd.sqlite")
        let copy = folder.file("copy.sqlite")
        let server = try RunningServer(data: data)
        let port = try server.port()
        let body = #"{"deck":{"count":9},"viewport":{"width":300,"height":400},"clock":"manual"}"#
        let created = Answer(port, "POST", "/v1/sessions", body)
        let session = try #require(created?.json["id"] as? String)
        let swipe = #"{"type":"swipe","direction":"left","at":1}"#
        #expect(Answer(port, "POST", "/v1/sessions/\(session)/events", swipe)?.status == 200)

        let function = "deckd() { '\(Command.executable)' \"$@\"; }\n"
        let result = try Command.run("/bin/sh", ["-c", "\(function)DATA='\(data)' COPY='\(copy)'\n\(command)"])
        #expect(result.status == 0, "\(result.errors)")
        // The server continues, and the copy can be served beside it.
        let later = #"{"type":"swipe","direction":"left","at":2}"#
        #expect(Answer(port, "POST", "/v1/sessions/\(session)/events", later)?.status == 200)
        let restored = try RunningServer(data: copy)
        let verdicts = Answer(try restored.port(), "GET", "/v1/sessions/\(session)/verdicts")?.json["verdicts"]
        #expect((verdicts as? [[String: Any]])?.count == 1)
    }

    /// The path in the configuration of the Debian package is relative to the folder of the service.
    @Test func theMessageNamesTheFolderOfARelativePath() throws {
        let folder = try TemporaryFolder()
        let command = "cd '\(folder.path)' && '\(Command.executable)' backup --data deckd.sqlite copy.sqlite"
        let result = try Command.run("/bin/sh", ["-c", command])
        let complaint = try #require(result.complaint)
        #expect(result.status == 1 && complaint.hasPrefix("deckd: \(folder.file("deckd.sqlite")): "), "\(result)")
        #expect(complaint.contains("No such file"))
    }

    /// systemd has the certificate and its key only while the service runs.
    @Test func theFilesOfOtherSettingsAreNotNeeded() throws {
        let folder = try TemporaryFolder()
        let (data, copy) = (folder.file("deckd.sqlite"), folder.file("copy.sqlite"))
        let server = try RunningServer(data: data)
        _ = try server.port()
        #expect(server.stop(SIGTERM) == .exit(0))
        let settings = """
            host: 0.0.0.0
            data: \(data)
            tls:
              certificate: /nowhere/certificate
              key: /nowhere/key
            access:
              keysFile: /nowhere/keys

            """
        try Command.withFile(settings) { config in
            for command in ["backup", "restore"] {
                let result = try Command.run(command, copy, "--config", config)
                #expect(result.status == 0, "\(command): \(result.errors)")
            }
        }
    }

    @Test func aRestoredCopyReplacesTheDataAndRaisesTheCursors() throws {
        let folder = try TemporaryFolder()
        let (data, copy) = (folder.file("deckd.sqlite"), folder.file("copy.sqlite"))
        let body = #"{"deck":{"count":9},"viewport":{"width":300,"height":400},"clock":"manual"}"#
        func swipe(_ port: Int, _ session: String, at time: Int) -> Int? {
            let event = #"{"type":"swipe","direction":"left","at":\#(time)}"#
            return Answer(port, "POST", "/v1/sessions/\(session)/events", event)?.status
        }
        func numbers(_ port: Int, _ session: String) throws -> [Int] {
            let frame = Answer(port, "GET", "/v1/sessions/\(session)/frame")?.json
            let verdicts = Answer(port, "GET", "/v1/sessions/\(session)/verdicts")?.json["verdicts"]
            let verdict = try #require((verdicts as? [[String: Any]])?.last?["seq"] as? Int)
            return [
                try #require(frame?["version"] as? Int), try #require(frame?["lastNotification"] as? Int), verdict,
            ]
        }
        func cursor(_ port: Int) throws -> Int {
            let text = Answer(port, "GET", "/v1/verdicts")?.json["cursor"] as? String
            return try #require(text.flatMap { Int($0) })
        }
        var (session, former, formerNumbers) = ("", 0, [Int]())
        do {
            let server = try RunningServer(data: data)
            let port = try server.port()
            session = try #require(Answer(port, "POST", "/v1/sessions", body)?.json["id"] as? String)
            #expect(swipe(port, session, at: 1) == 200)
            #expect(try Command.run("backup", copy, "--data", data).status == 0)
            // A file that exists is not overwritten, and a file that is in use is not replaced.
            #expect(try Command.run("backup", copy, "--data", data).status == 1)
            #expect(try Command.run("restore", copy, "--data", data).status == 1)
            #expect(swipe(port, session, at: 2) == 200)
            former = try cursor(port)
            formerNumbers = try numbers(port, session)
            #expect(server.stop(SIGTERM) == .exit(0))
        }
        #expect(try Command.run("restore", copy, "--data", data).status == 0)
        let server = try RunningServer(data: data)
        let port = try server.port()
        let verdicts = Answer(port, "GET", "/v1/sessions/\(session)/verdicts")?.json["verdicts"]
        #expect((verdicts as? [[String: Any]])?.count == 1)
        #expect(swipe(port, session, at: 3) == 200)
        #expect(try cursor(port) > former)
        for (number, former) in zip(try numbers(port, session), formerNumbers) { #expect(number > former) }
    }

    @Test func aRestoreNamesTheFileThatIsWrong() throws {
        let folder = try TemporaryFolder()
        let (data, copy) = (folder.file("deckd.sqlite"), folder.file("copy.sqlite"))
        let server = try RunningServer(data: data)
        _ = try server.port()
        #expect(server.stop(SIGTERM) == .exit(0))
        #expect(try Command.run("backup", copy, "--data", data).status == 0)
        let whole = try Data(contentsOf: URL(filePath: copy))
        func complaint() throws -> String {
            let result = try Command.run("restore", copy, "--data", data)
            #expect(result.status == 1)
            return result.complaint ?? "\(result)"
        }
        for damaged in [Data("nothing".utf8), whole.prefix(whole.count / 2)] {
            try damaged.write(to: URL(filePath: copy))
            let line = try complaint()
            #expect(line.hasPrefix("deckd: \(copy): The journal is damaged"), "\(line)")
            #expect(!line.contains(data), "\(line)")
        }
        try FileManager.default.removeItem(atPath: copy)
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
        #expect(try complaint() == "deckd: \(copy): The journal is unavailable: \(copy): Is a directory.")
        try FileManager.default.removeItem(atPath: copy)
        let same = try Command.run("restore", data, "--data", data)
        #expect(same.status == 1)
        #expect(same.complaint?.hasSuffix("unavailable: it is the file that the command replaces.") == true, "\(same)")
        #expect(try complaint().hasPrefix("deckd: \(copy): The journal is unavailable"))
        try whole.write(to: URL(filePath: copy))
        try Data("nothing".utf8).write(to: URL(filePath: data))
        #expect(try complaint().hasPrefix("deckd: \(data): "))
    }

    /// A file of a server that has served.
    private func makeData(in folder: borrowing TemporaryFolder, sessions: Int = 1) throws -> String {
        let data = folder.file("deckd.sqlite")
        let server = try RunningServer(data: data)
        let port = try server.port()
        let body = #"{"deck":"sample","viewport":{"width":300,"height":400}}"#
        for _ in 0..<sessions { #expect(Answer(port, "POST", "/v1/sessions", body)?.status == 201) }
        #expect(server.stop(SIGTERM) == .exit(0))
        return data
    }

    @Test func aBackupThatIsKilledIsNotThere() throws {
        let folder = try TemporaryFolder()
        let data = try makeData(in: folder, sessions: 200)
        let (copy, restored) = (folder.file("copy.sqlite"), folder.file("restored.sqlite"))
        var killedCount = 0
        for attempt in 1...20 {
            let arguments = ["backup", copy, "--data", data]
            let child = try Command.start(Command.executable, arguments, [:], output: Stream(), errors: Stream())
            usleep(UInt32(attempt) * 2_500)
            child.send(SIGKILL)
            killedCount += child.wait() == .exit(0) ? 0 : 1
            // It is complete, or it is not there.
            guard FileManager.default.fileExists(atPath: copy) else { continue }
            #expect(try Command.run("restore", copy, "--data", restored).status == 0)
            try FileManager.default.removeItem(atPath: copy)
        }
        #expect(killedCount > 0)
        // SQLite writes the first page of a copy last.
        for left in [".partial", ".partial-journal"] { try Data(count: 8192).write(to: URL(filePath: copy + left)) }
        let result = try Command.run("backup", copy, "--data", data)
        #expect(result.status == 0, "\(result)")
        #expect(try Command.run("restore", copy, "--data", restored).status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: (copy as NSString).deletingLastPathComponent)
        #expect(names.filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
    }

    /// The names that a command uses until its copy is complete can be those of other files, and of the file that it copies.
    @Test func aCopyRemovesNoFileThatIsNotItsOwn() throws {
        let folder = try TemporaryFolder()
        let data = try makeData(in: folder)
        let whole = try Data(contentsOf: URL(filePath: data))
        let (copy, target) = (folder.file("copy"), folder.file("target"))
        let notes = Data("notes of the operator".utf8)
        try notes.write(to: URL(filePath: copy + ".partial"))
        try notes.write(to: URL(filePath: target + ".restoring"))
        let taken: [(complaint: String, arguments: [String])] = [
            ("\(copy).partial: File exists.", ["backup", copy, "--data", data]),
            ("\(target).restoring: File exists.", ["restore", data, "--data", target]),
        ]
        for (complaint, arguments) in taken {
            let result = try Command.run(Command.executable, arguments)
            #expect(result.status == 1 && result.complaint == "deckd: \(complaint)", "\(result)")
        }
        for file in [copy + ".partial", target + ".restoring"] {
            #expect(try Data(contentsOf: URL(filePath: file)) == notes)
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.moveItem(atPath: data, toPath: file)
            let isBackup = file.hasSuffix(".partial")
            let arguments = isBackup ? ["backup", copy, "--data", file] : ["restore", file, "--data", target]
            let result = try Command.run(Command.executable, arguments)
            #expect(result.status == 1 && result.complaint == "deckd: \(file): File exists.", "\(result)")
            try FileManager.default.moveItem(atPath: file, toPath: data)
            #expect(try Data(contentsOf: URL(filePath: data)) == whole)
        }
    }

    @Test func aBackupNamesTheFileThatIsWrong() throws {
        let folder = try TemporaryFolder()
        let data = try makeData(in: folder)
        let copy = folder.file("copy.sqlite")
        #expect(try Command.run("backup", copy, "--data", data).status == 0)
        let missing = folder.file("missing/copy.sqlite")
        for (file, reason) in [(copy, "File exists."), (missing, "No such file or directory.")] {
            let result = try Command.run("backup", file, "--data", data)
            #expect(result.status == 1)
            #expect(result.complaint?.hasPrefix("deckd: \(file)") == true, "\(result)")
            #expect(result.complaint?.hasSuffix(": \(reason)") == true, "\(result)")
        }
        let whole = try Data(contentsOf: URL(filePath: data))
        try whole.prefix(whole.count / 2).write(to: URL(filePath: data))
        let damaged = try Command.run("backup", folder.file("other.sqlite"), "--data", data)
        #expect(damaged.complaint?.hasPrefix("deckd: \(data): The journal is damaged: \(data): ") == true, "\(damaged)")
    }

    @Test func aRestoreOfAnInterruptedBackupOrBesideALogSaysSo() throws {
        let folder = try TemporaryFolder()
        let data = try makeData(in: folder)
        let copy = folder.file("copy.sqlite")
        #expect(try Command.run("backup", copy, "--data", data).status == 0)
        try Data("pages".utf8).write(to: URL(filePath: copy + "-journal"))
        let interrupted = try Command.run("restore", copy, "--data", data)
        #expect(interrupted.status == 1)
        let reason = "it is not complete: the command that wrote it was interrupted"
        let start = "deckd: \(copy): The journal is damaged: \(reason)"
        #expect(interrupted.complaint?.hasPrefix(start) == true, "\(interrupted)")
        try FileManager.default.removeItem(atPath: copy + "-journal")
        try FileManager.default.removeItem(atPath: data)
        try Data("frames".utf8).write(to: URL(filePath: data + "-wal"))
        let result = try Command.run("restore", copy, "--data", data)
        #expect(result.status == 1 && !FileManager.default.fileExists(atPath: data))
        #expect(result.complaint?.contains("move \(data)-wal away") == true, "\(result)")
    }

    @Test func aRestoreThatFailsDoesNotMigrateTheData() throws {
        let folder = try TemporaryFolder()
        let (data, copy) = (folder.file("deckd.sqlite"), folder.file("copy.sqlite"))
        let former = try Data(contentsOf: try #require(FormerReleaseTests.database))
        try former.write(to: URL(filePath: data))
        let other = try TemporaryFolder()
        let whole = try Data(contentsOf: URL(filePath: try makeData(in: other)))
        try whole.prefix(whole.count / 2).write(to: URL(filePath: copy))
        #expect(try Command.run("restore", copy, "--data", data).status == 1)
        #expect(try Data(contentsOf: URL(filePath: data)) == former)
        // A good backup replaces it.
        try FileManager.default.removeItem(atPath: copy)
        #expect(try Command.run("backup", copy, "--data", other.file("deckd.sqlite")).status == 0)
        let result = try Command.run("restore", copy, "--data", data)
        #expect(result.status == 0, "\(result)")
    }

    /// SQLite gives such names another meaning.
    @Test func aNameThatLooksLikeAnAddressIsAFile() throws {
        let folder = try TemporaryFolder()
        let data = try makeData(in: folder)
        let backup = "'\(Command.executable)' backup --data file:x file:y"
        let script = "cd '\(folder.file("."))' && mv deckd.sqlite file:x && \(backup)"
        let result = try Command.run("/bin/sh", ["-c", script])
        #expect(result.status == 0, "\(result)")
        #expect(FileManager.default.fileExists(atPath: folder.file("file:y")), "\(data)")
    }
}
