import Foundation
import Glibc

/// The program that started deckd and looks after it, as systemd does: it may hand over sockets that listen already,
/// and be told how the service is.
///
/// The protocols are those of sd_listen_fds(3) and sd_notify(3): a few variables of the environment, and datagrams of
/// lines. So little needs no library of systemd's. Without those variables there is no supervisor, and all of this
/// does nothing.
struct Supervisor: Sendable {
    /// The first descriptor that is handed over; the others follow it.
    private static let firstSocket: Int32 = 3
    private let environment = ProcessInfo.processInfo.environment

    /// The sockets that were handed over to this process.
    func sockets() throws(SettingsError) -> [Int32] {
        // A child inherits the variables of its parent; the sockets are for the process with the number in them.
        guard environment["LISTEN_PID"].flatMap(Int32.init) == getpid(), let text = environment["LISTEN_FDS"] else {
            return []
        }
        guard let count = Int32(text), (0...1024).contains(count) else {
            throw SettingsError("the environment variable LISTEN_FDS must be the number of sockets, not \(text)")
        }
        return (0..<count).map { Self.firstSocket + $0 }
    }

    /// How often it wants to hear from deckd before it takes it for dead; nil: it does not watch.
    var watchdogInterval: Duration? {
        guard environment["WATCHDOG_PID"].map({ Int32($0) == getpid() }) ?? true,
            let microseconds = environment["WATCHDOG_USEC"].flatMap(Int64.init), microseconds > 0
        else { return nil }
        return .microseconds(microseconds)
    }

    /// Says how the service is: `READY=1`, `STOPPING=1`, `WATCHDOG=1`. Returns false when a supervisor was to be told
    /// and could not be.
    @discardableResult
    func tell(_ state: String) -> Bool {
        guard let path = environment["NOTIFY_SOCKET"], !path.isEmpty else { return true }
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        // An @ stands for the zero byte that begins an abstract address, which is no file.
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
