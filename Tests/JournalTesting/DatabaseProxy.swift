internal import Foundation
internal import Glibc
internal import Locking

/// Passes connections on to the tests' PostgreSQL server. It can cut each of them after a random number of bytes, in the middle of
/// whatever is being sent, or leave all of them open and pass nothing more.
package final class DatabaseProxy: Sendable {
    /// A start of deckd takes some tens of kilobytes.
    private static let byteCounts = 1...100_000

    /// The address of the database by way of the proxy.
    package let address: String
    private let listener: CInt
    private let path: String
    private let isCutting = Lock(false)
    private let count = Lock(0)
    /// How many bytes of all connections are still passed on; nil: all.
    private let rest = Lock<Int?>(nil)

    /// - Parameter address: one of the tests' server.
    package init(to address: String) throws {
        guard let folder = address.firstMatch(of: /host=([^&]+)/)?.1 else { throw POSIXError(.EINVAL) }
        path = "\(folder)/.s.PGSQL.5432"
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = inet_addr("127.0.0.1")
        // A server that reads nothing has room for little.
        var room: CInt = 65_536
        setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<CInt>.size))
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutablePointer(to: &place) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(listener, address, size) == 0, listen(listener, 64) == 0,
                    getsockname(listener, address, &size) == 0
                else { throw POSIXError(.EADDRNOTAVAIL) }
            }
        }
        let port = UInt16(bigEndian: place.sin_port)
        self.address = address.replacing("host=\(folder)", with: "host=127.0.0.1&port=\(port)&sslmode=disable")
        Thread.detachNewThread { [self] in accept() }
    }

    /// How many connections were cut.
    package var cutCount: Int { count.withLock { $0 } }

    /// Begins to cut, or ends it. Connections that were made before are cut, too.
    package func cut(_ isCutting: Bool) {
        self.isCutting.withLock { $0 = isCutting }
    }

    /// Passes nothing more after some bytes. Connections stay open, as in a network that is interrupted.
    package func stall(afterBytes count: Int) {
        rest.withLock { $0 = count }
    }

    /// Closes the connections that pass nothing.
    package func endStall() {
        rest.withLock { $0 = nil }
    }

    /// How many of some bytes are passed on.
    private func take(_ count: Int) -> Int {
        rest.withLock { rest in
            guard let former = rest else { return count }
            rest = max(0, former - count)
            return min(former, count)
        }
    }

    private func waitForEndOfStall() {
        while rest.withLock({ $0 != nil }) { usleep(10_000) }
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { return }
            let server = connected()
            guard server >= 0 else {
                close(client)
                continue
            }
            let pair = Pair(client, server, Int.random(in: Self.byteCounts))
            for (from, to) in [(client, server), (server, client)] {
                Thread.detachNewThread { [self] in pump(pair, from, to) }
            }
        }
    }

    private func connected() -> CInt {
        let server = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            close(server)
            return -1
        }
        return server
    }

    /// Two ends that are closed together, when both directions have ended.
    private final class Pair: Sendable {
        let ends: (CInt, CInt)
        private let state: Lock<(rest: Int, open: Int)>

        init(_ first: CInt, _ second: CInt, _ byteCount: Int) {
            ends = (first, second)
            state = Lock((byteCount, 2))
        }

        /// How many of some bytes are passed on before the cut; nil: all.
        func take(_ count: Int, isCutting: Bool) -> Int? {
            state.withLock { state in
                guard isCutting, count >= state.rest else {
                    state.rest = max(state.rest - count, 1)
                    return nil
                }
                return state.rest
            }
        }

        func end() {
            for end in [ends.0, ends.1] { shutdown(end, CInt(SHUT_RDWR)) }
            let isLast = state.withLock { state in
                state.open -= 1
                return state.open == 0
            }
            if isLast { for end in [ends.0, ends.1] { close(end) } }
        }
    }

    private func pump(_ pair: Pair, _ from: CInt, _ to: CInt) {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(from, &bytes, bytes.count, 0)
            guard count > 0 else { break }
            let allowed = pair.take(count, isCutting: isCutting.withLock { $0 })
            let passed = take(allowed ?? count)
            guard passed == 0 || send(to, bytes, passed, CInt(MSG_NOSIGNAL)) > 0 else { break }
            if allowed != nil { self.count.withLock { $0 += 1 } }
            guard passed == count else {
                waitForEndOfStall()
                break
            }
        }
        pair.end()
    }
}
