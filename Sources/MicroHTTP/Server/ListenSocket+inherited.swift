internal import CMicroHTTPD
internal import Glibc

extension ListenSocket {
    /// Takes over sockets that listen already: one for each worker. If there are fewer sockets, workers share them.
    ///
    /// The descriptor of a shared socket is duplicated, because each worker closes its descriptor. The first worker that
    /// wakes up accepts the next client. There must be at least one socket.
    static func adopt(
        _ inherited: [ListenSocket],
        count: Int
    ) throws(ServerError) -> (sockets: [ListenSocket], address: BoundAddress) {
        var sockets = inherited
        let descriptors = inherited.map(\.descriptor)
        for descriptor in descriptors {
            try prepare(descriptor)
        }
        guard let first = descriptors.first, let address = SocketAddress(boundTo: first) else {
            throw .notListening(descriptor: descriptors.first ?? -1)
        }
        while sockets.count < count {
            let copy = microhttp_duplicate(descriptors[sockets.count % descriptors.count])
            guard copy >= 0 else { throw .system(call: "fcntl", code: errno) }
            sockets.append(ListenSocket(descriptor: copy))
        }
        return (sockets, BoundAddress(host: address.host, port: address.port))
    }

    /// Checks that it is a listening TCP socket, and sets it to non-blocking and close-on-exec.
    private static func prepare(_ descriptor: CInt) throws(ServerError) {
        _ = try address(of: descriptor)
        guard microhttp_prepare_inherited(descriptor) == 0 else { throw .system(call: "fcntl", code: errno) }
    }

    /// Where a TCP socket listens.
    static func address(of descriptor: CInt) throws(ServerError) -> SocketAddress {
        guard isSet(SO_ACCEPTCONN, of: descriptor), let address = SocketAddress(boundTo: descriptor),
            address.family == AF_INET || address.family == AF_INET6
        else { throw .notListening(descriptor: descriptor) }
        return address
    }

    private static func isSet(_ option: CInt, of descriptor: CInt) -> Bool {
        var value: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, SOL_SOCKET, option, &value, &size) == 0 && value != 0
    }
}
