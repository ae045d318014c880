import Foundation
import Glibc

/// The program that started deckd and supervises it, such as systemd. It may pass listening sockets, and receive the state of
/// the service.
///
/// The protocols are those of sd_listen_fds(3) and sd_notify(3): a few environment variables, and datagrams of lines. They are
/// simple enough to need no library. Without these variables there is no supervisor, and all of this does nothing.
struct Supervisor: Sendable {
    /// The first inherited descriptor; the others follow it.
    private static let firstSocket: Int32 = 3
    private let environment = ProcessInfo.processInfo.environment

    /// The sockets that this process has inherited.
    func sockets() throws(SettingsError) -> [Int32] {
        // A child inherits the variables of its parent, too. The sockets are for the process whose number is in them.
        guard environment["LISTEN_PID"].flatMap(Int32.init) == getpid(), let text = environment["LISTEN_FDS"] else {
            return []
        }
        guard let count = Int32(text), (0...1024).contains(count) else {
            throw SettingsError("the environment variable LISTEN_FDS must be the number of sockets, not \(text)")
        }
        return (0..<count).map { Self.firstSocket + $0 }
    }

    /// The time without a notification after which it considers deckd dead; nil: it does not watch.
    var watchdogInterval: Duration? {
        guard environment["WATCHDOG_PID"].map({ Int32($0) == getpid() }) ?? true,
            let microseconds = environment["WATCHDOG_USEC"].flatMap(Int64.init), microseconds > 0
        else { return nil }
        return .microseconds(microseconds)
    }

    /// Sends the state of the service: `READY=1`, `STOPPING=1`, `WATCHDOG=1`. Returns false if there is a supervisor and the
    /// state could not be sent.
    @discardableResult
    func tell(_ state: String) -> Bool {
        guard let path = environment["NOTIFY_SOCKET"], !path.isEmpty else { return true }
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        // An @ stands for the zero byte at the start of an abstract address, which is not a file.
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        let isTaken = withUnsafeMutableBytes(of: &place.sun_path) { room in
            guard bytes.count < room.count else { return false }
            room.copyBytes(from: bytes)
            return true
        }
        let socket = Glibc.socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard isTaken, socket >= 0 else { return false }
        defer { close(socket) }
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
        let length = socklen_t(offset + bytes.count)
        let message = Array(state.utf8)
        let sent = withUnsafePointer(to: place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                sendto(socket, message, message.count, CInt(MSG_NOSIGNAL), address, length)
            }
        }
        return sent == message.count
    }
}
