internal import CMicroHTTPD
internal import Glibc

extension ListenSocket {
    /// Takes over sockets that listen already: one for each worker, the first ones again when there are too few.
    ///
    /// A socket that several workers share is duplicated, as each worker closes its own; whichever worker is awake
    /// first accepts the next client. All descriptors are owned, and closed should one not fit. There must be one.
    static func adopt(
        _ descriptors: [CInt],
        count: Int
    ) throws(ServerError) -> (sockets: [ListenSocket], address: BoundAddress) {
        var sockets = descriptors.map { ListenSocket(descriptor: $0) }
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

    /// Checks that it is a listening TCP socket, and has it neither block a worker nor pass to a child.
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
