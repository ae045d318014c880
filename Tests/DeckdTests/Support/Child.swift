import Foundation
import Glibc

/// A program in a separate process.
///
/// Foundation's `Process` is no help here: it lists the open files of this process in a way that fails where there are
/// as many as the other tests have. Unchecked because what changes is only touched while the condition's lock is held.
final class Child: @unchecked Sendable {
    struct Failure: Error {
        var description: String
    }

    /// How it ended.
    enum End: Equatable {
        case exit(Int32)
        case signal(Int32)
    }

    let id: pid_t
    private let condition = NSCondition()
    private var end: End?

    /// Starts a program with nothing to read. Of this process's files it gets the two to print to, those that must be
    /// inherited, as 3 and so on, and no other. None of the latter may itself be one of these numbers here.
    init(
        _ program: String,
        _ arguments: [String],
        environment: [String: String],
        output: CInt,
        errors: CInt,
        inherited: [CInt] = []
    ) throws {
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO)
        let firstFree = STDERR_FILENO + 1 + CInt(inherited.count)
        for (file, number) in zip(inherited, STDERR_FILENO + 1..<firstFree) {
            posix_spawn_file_actions_adddup2(&files, file, number)
        }
        for file in firstFree..<Self.openFileLimit { posix_spawn_file_actions_addclose(&files, file) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The threads of tests block and ignore signals, which would be handed down.
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let variables = environment.map { "\($0.key)=\($0.value)" }
        var child = pid_t()
        let code = Self.withStrings([program] + arguments) { arguments in
            Self.withStrings(variables) { variables in
                posix_spawn(&child, program, &files, &attributes, arguments, variables)
            }
        }
        guard code == 0 else { throw Failure(description: "cannot start \(program): \(code)") }
        id = child
        Thread.detachNewThread { [self] in
            var status: Int32 = 0
            while waitpid(id, &status, 0) == -1, errno == EINTR {}
            // The lowest seven bits are the signal, the eight above them the status.
            let signal = status & 0x7F
            condition.withLock {
                end = signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
                condition.broadcast()
            }
        }
    }

    /// All files of this process have lower numbers; the tests do not open more than that.
    private static var openFileLimit: CInt {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return CInt(min(limit.rlim_cur, 8192))
    }

    private static func withStrings<Result>(
        _ strings: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies + [nil])
    }

    var isRunning: Bool {
        condition.withLock { end == nil }
    }

    func send(_ signal: Int32) {
        condition.withLock {
            // Once it has been waited for, the number may be another process's.
            if end == nil { kill(id, signal) }
        }
    }

    /// Waits for the end; what does not end in time is killed.
    func wait(seconds: Double = 60) -> End {
        let deadline = Date(timeIntervalSinceNow: seconds)
        return condition.withLock {
            while end == nil, condition.wait(until: deadline) {}
            if end == nil { kill(id, SIGKILL) }
            // Without a deadline, as one in the distant future is more than wait(until:) can take.
            while true {
                if let end { return end }
                condition.wait()
            }
        }
    }
}
