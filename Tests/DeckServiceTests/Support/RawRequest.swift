import Foundation
import SocketTesting

/// Sends bytes as they are, which no library for HTTP would, and reads all that comes until the server closes.
func sendRaw(_ bytes: [UInt8], to base: String) throws -> String {
    guard let port = URL(string: base)?.port else { throw Client.Failure(description: "no port: \(base)") }
    let socket = try TestSocket(port: port)
    try socket.send(bytes)
    var received: [UInt8] = []
    // A server that has refused a request may reset the connection.
    while let part = try? socket.receive(), !part.isEmpty { received += part }
    return String(decoding: received, as: UTF8.self)
}

/// Sends a request of these lines, and says the answer's status and all of its text.
func sendRaw(_ lines: [String], to base: String) throws -> (status: Int, text: String) {
    let head = (lines + ["Host: localhost", "Connection: close", "", ""]).joined(separator: "\r\n")
    let text = try sendRaw(Array(head.utf8), to: base)
    return (Int(text.dropFirst(9).prefix(3)) ?? 0, text)
}
