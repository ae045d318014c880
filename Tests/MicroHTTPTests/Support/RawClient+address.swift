import MicroHTTP
import SocketTesting

extension RawClient {
    /// Connects to a server. A receive buffer of few bytes, 0 for the system's usual, makes for a client that soon takes no
    /// more.
    convenience init(_ address: BoundAddress, receiveBufferBytes: Int = 0) throws {
        try self.init(host: address.host, port: address.port, receiveBufferBytes: receiveBufferBytes)
    }
}
