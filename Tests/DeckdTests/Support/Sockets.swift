import Foundation
import Glibc

/// A listening TCP socket on a free port, as a service manager opens one.
final class ListeningSocket: Sendable {
    let descriptor: CInt
    let port: Int

    struct Failure: Error {
        var call: String
        var code = errno
    }

    init(host: String = "127.0.0.1") throws {
        let socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { throw Failure(call: "socket") }
        // Far from the numbers it gets in the program that inherits it.
        descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 64)
        close(socket)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, host, &place.sin_addr)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &place) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 128) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        port = Int(in_port_t(bigEndian: place.sin_port))
        guard isListening else { throw Failure(call: "bind") }
    }

    deinit {
        close(descriptor)
    }
}

/// The socket at which a service notifies its manager.
final class NotificationSocket {
    /// What `NOTIFY_SOCKET` says.
    let name: String
    private let descriptor: CInt

    /// - Parameter isAbstract: whether its address is none in the file system.
    init(isAbstract: Bool) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "deckd-\(UUID().uuidString)").path
        name = isAbstract ? "@" + path : path
        descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        let bytes = (isAbstract ? [0] : []) + Array(path.utf8)
        withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let result = withUnsafePointer(to: place) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard result == 0 else { throw ListeningSocket.Failure(call: "bind") }
    }

    deinit {
        close(descriptor)
        if !name.hasPrefix("@") { unlink(name) }
    }

    /// The next notification; nil: there was none within ten seconds.
    func next() -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
}
