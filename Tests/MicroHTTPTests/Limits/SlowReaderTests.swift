import Foundation
import MicroHTTP
import SocketTesting
import Testing

struct SlowReaderTests {
    /// It takes less in the idle timeout than what the system would store for it without a limit.
    @Test func aClientThatReadsSteadilyIsNotIdle() throws {
        let length = 12 << 20
        let application = TestApplication(responding: { _, exchange in
            exchange.send(Response(status: 200, body: [UInt8](repeating: 0, count: length)))
        })
        try withServer(application, configure: { $0.idleTimeoutSeconds = 3 }) { server in
            let socket = try TestSocket(port: server.address.port, receiveBufferBytes: 16_384)
            try socket.send(Array("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".utf8))
            var received = 0
            let end = ContinuousClock.now + .seconds(8)
            while ContinuousClock.now < end {
                received += try socket.receive().count
                Thread.sleep(forTimeInterval: 0.1)
            }
            #expect(received < 4 << 20)
            while case let part = try socket.receive(), !part.isEmpty { received += part.count }
            #expect(received > length)
        }
    }
}
