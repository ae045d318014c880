import Foundation
import Glibc

/// Sends bytes as they are, which no library for HTTP would, and reads all that comes until the server closes.
func sendRaw(_ bytes: [UInt8], to base: String) throws -> String {
    guard let port = URL(string: base)?.port else { throw Client.Failure(description: "no port: \(base)") }
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Client.Failure(description: "no socket: \(errno)") }
    defer { close(descriptor) }
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = in_port_t(port).bigEndian
    place.sin_addr.s_addr = inet_addr("127.0.0.1")
    let connected = withUnsafePointer(to: &place) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    guard connected == 0 else { throw Client.Failure(description: "cannot connect: \(errno)") }
    _ = send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
    var received: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = recv(descriptor, &part, part.count, 0)
        guard count > 0 else { return String(decoding: received, as: UTF8.self) }
        received += part[..<count]
    }
}

/// Sends a request of these lines, and says the answer's status and all of its text.
func sendRaw(_ lines: [String], to base: String) throws -> (status: Int, text: String) {
    let head = (lines + ["Host: localhost", "Connection: close", "", ""]).joined(separator: "\r\n")
    let text = try sendRaw(Array(head.utf8), to: base)
    return (Int(text.dropFirst(9).prefix(3)) ?? 0, text)
}
