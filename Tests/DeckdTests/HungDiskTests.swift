import FileTesting
import Foundation
import SocketTesting
import Testing

/// How `deckd serve` ends when the disk does not answer any more.
@Suite struct HungDiskTests {
    /// A library that makes fdatasync wait for ever while a file is there.
    private static let hangingDisk = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <stdlib.h>
        #include <unistd.h>

        static void hang(void) { while (access(getenv("HANG_FILE"), F_OK) == 0) usleep(10000); }
        int fdatasync(int file) { hang(); return ((int (*)(int)) dlsym(RTLD_NEXT, "fdatasync"))(file); }
        int fsync(int file) { hang(); return ((int (*)(int)) dlsym(RTLD_NEXT, "fsync"))(file); }
        """

    @Test func aServerStopsThoughTheDiskHangs() throws {
        let folder = try TemporaryFolder()
        let source = folder.url("hang.c"), library = folder.file("hang.so")
        try Self.hangingDisk.write(to: source, atomically: true, encoding: .utf8)
        // The toolchain of Swift has a compiler of C beside it.
        let toolchain =
            #"PATH="$PATH:$(dirname "$(readlink -f "$(command -v swift)")")"; clang -shared -fPIC -o "$0" "$1" -ldl"#
        let compiled = try Command.run("/bin/sh", ["-c", toolchain, library, source.path])
        try #require(compiled.status == 0, "\(compiled.errors)")
        let hanging = folder.file("hanging")
        let server = try RunningServer(
            ["--config", try Self.configuration(in: folder)],
            data: folder.file("deckd.sqlite"),
            wrapper: "env LD_PRELOAD='\(library)' HANG_FILE='\(hanging)'"
        )
        let port = try server.port()
        #expect(Answer(port, "PUT", "/v1/decks/before", #"{"count":1}"#)?.status == 201)
        #expect(FileManager.default.createFile(atPath: hanging, contents: nil))
        // The change waits for the disk, and with it the journal.
        let waiting = try RawClient(port: port)
        let head = "PUT /v1/decks/after HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        try waiting.send(head + "Content-Length: 11\r\n\r\n{\"count\":1}")
        Thread.sleep(forTimeInterval: 0.5)
        let start = ContinuousClock.now
        server.child.send(SIGTERM)
        #expect(server.child.wait() == .exit(0))
        #expect(server.errors.wait { $0.contains("did not close") }.contains("the journal did not close within 5 s"))
        // A second of grace, a second for the last answers, and five for the journal.
        #expect(ContinuousClock.now - start < .seconds(28))
    }

    private static func configuration(in folder: TemporaryFolder) throws -> String {
        let file = folder.url("deckd.yaml")
        try "limits:\n  stopGraceSeconds: 1\n".write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }
}
