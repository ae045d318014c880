internal import Glibc

/// A listening socket. This object closes it; libmicrohttpd never does.
final class ListenSocket {
    /// The descriptor, for as long as the socket is open.
    let descriptor: CInt
    private var isOpen = true

    init(descriptor: CInt) {
        self.descriptor = descriptor
    }

    deinit {
        close()
    }

    /// Stops listening; clients that have not been accepted are reset. Closing again does nothing.
    func close() {
        guard isOpen else { return }
        isOpen = false
        Glibc.close(descriptor)
    }

    /// Opens one socket for each worker, all on the same port, and returns them with their address.
    ///
    /// The sockets share the port (SO_REUSEPORT), so the kernel distributes the clients over the workers. A second server of
    /// the same user must not share it, too, because it would get half of the clients. So the first socket shares the port only
    /// once it listens: the kernel lets one socket listen that does not share.
    static func open(
        host: String,
        port: Int,
        count: Int,
        backlog: Int
    ) throws(ServerError) -> (sockets: [ListenSocket], address: BoundAddress) {
        for candidate in try resolve(host: host, port: port) {
            do {
                return try open(candidate, count: count, backlog: backlog)
            } catch .addressNotAvailable {
                continue
            }
        }
        throw .addressNotAvailable(host: host)
    }

    private static func open(
        _ wanted: SocketAddress,
        count: Int,
        backlog: Int
    ) throws(ServerError) -> (sockets: [ListenSocket], address: BoundAddress) {
        let first = try listening(at: wanted, sharing: false, backlog: backlog)
        try first.share()
        guard let address = SocketAddress(boundTo: first.descriptor) else {
            throw .system(call: "getsockname", code: errno)
        }
        var sockets = [first]
        while sockets.count < count {
            sockets.append(try listening(at: address, sharing: true, backlog: backlog))
        }
        return (sockets, BoundAddress(host: address.host, port: address.port))
    }

    /// Accepts connections only when their first bytes have come, or after a number of seconds.
    func deferAccepting(seconds: Int) throws(ServerError) {
        try set(CInt(IPPROTO_TCP), TCP_DEFER_ACCEPT, CInt(clamping: seconds))
    }

    /// Limits how many bytes of each connection wait in the system and were not sent yet.
    ///
    /// Without the limit these are megabytes for a slow client, and the system takes more only when a third of them is gone. A
    /// client that reads steadily would count as idle until then.
    func limitUnsentBytes() throws(ServerError) {
        try set(CInt(IPPROTO_TCP), TCP_NOTSENT_LOWAT, Self.mostUnsentBytes)
    }

    private static let mostUnsentBytes: CInt = 128 * 1_024

    private static func listening(
        at address: SocketAddress,
        sharing: Bool,
        backlog: Int
    ) throws(ServerError) -> ListenSocket {
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.family, kind, 0)
        guard descriptor >= 0 else { throw failure(of: "socket", at: address) }
        let socket = ListenSocket(descriptor: descriptor)
        try socket.set(SOL_SOCKET, SO_REUSEADDR, 1)
        if sharing {
            try socket.share()
        }
        if address.family == AF_INET6 {
            try socket.set(CInt(IPPROTO_IPV6), IPV6_V6ONLY, 0)
        }
        guard address.withPointer({ bind(descriptor, $0, $1) }) == 0 else {
            throw failure(of: "bind", at: address)
        }
        guard listen(descriptor, CInt(clamping: backlog)) == 0 else { throw failure(of: "listen", at: address) }
        return socket
    }

    /// Lets other sockets that share, too, have the same port.
    private func share() throws(ServerError) {
        try set(SOL_SOCKET, SO_REUSEPORT, 1)
    }

    private func set(_ level: CInt, _ option: CInt, _ value: CInt) throws(ServerError) {
        var value = value
        guard setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size)) == 0 else {
            throw .system(call: "setsockopt", code: errno)
        }
    }

    private static func failure(of call: String, at address: SocketAddress) -> ServerError {
        switch errno {
        case EADDRINUSE: .portInUse(host: address.host, port: address.port)
        case EACCES, EPERM: .permissionDenied(host: address.host, port: address.port)
        case EADDRNOTAVAIL, EAFNOSUPPORT: .addressNotAvailable(host: address.host)
        default: .system(call: call, code: errno)
        }
    }

    private static func resolve(host: String, port: Int) throws(ServerError) -> [SocketAddress] {
        let name = withoutBrackets(host)
        guard !name.isEmpty else { throw .cannotResolve(host: host, reason: "it is empty") }
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(name, nil, &hints, &list)
        guard code == 0 else { throw .cannotResolve(host: host, reason: String(cString: gai_strerror(code))) }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let entry = next {
            if let address = entry.pointee.ai_addr, [AF_INET, AF_INET6].contains(entry.pointee.ai_family) {
                var copy = SocketAddress(copying: address, length: entry.pointee.ai_addrlen)
                copy.port = port
                addresses.append(copy)
            }
            next = entry.pointee.ai_next
        }
        return addresses
    }
}
