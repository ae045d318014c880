import DeckJournal
import Glibc
import Synchronization

/// Reserves a journal's file for one process, because two processes would not know of each other's changes. The system releases
/// the lock when the process ends, in any way.
final class FileLock: Sendable {
    private let descriptor: Atomic<CInt>

    /// - Parameter waits: whether to wait until no other process has the file.
    /// - Throws: `unavailable` if another process has the file, or has just replaced it.
    init(path: String, waits: Bool = false) throws(JournalError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .unavailable("\(path): \(String(cString: strerror(errno)))")
        }
        // SQLite uses locks of another kind, which do not conflict with this one.
        guard flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            let reason = isTaken ? "another process uses it" : String(cString: strerror(errno))
            close(descriptor)
            throw .unavailable("\(path): \(reason)")
        }
        self.descriptor = Atomic(descriptor)
        guard covers(path) else { throw .unavailable("\(path): another process has replaced it") }
    }

    /// Whether it was not released yet.
    var isHeld: Bool { descriptor.load(ordering: .relaxed) >= 0 }

    /// Whether a path still names the locked file.
    func covers(_ path: String) -> Bool {
        var locked = stat()
        var named = stat()
        guard fstat(descriptor.load(ordering: .relaxed), &locked) == 0, stat(path, &named) == 0 else { return false }
        return locked.st_dev == named.st_dev && locked.st_ino == named.st_ino
    }

    /// Releases the lock. SQLite must have closed the file before, because closing any descriptor of a file also ends SQLite's
    /// locks.
    func release() {
        let descriptor = descriptor.exchange(-1, ordering: .relaxed)
        guard descriptor >= 0 else { return }
        // A process that was forked and has not started its program yet has a copy of the descriptor. If only this descriptor were
        // closed, the file would stay locked until then.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    deinit {
        release()
    }
}
