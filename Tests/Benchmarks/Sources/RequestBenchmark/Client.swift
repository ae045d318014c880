import Glibc

/// A client that sends the same request again and again over one connection. It allocates nothing while it does so.
final class Client {
    struct Failure: Error {
        var description: String
    }

    private let descriptor: CInt
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

    init(port: UInt16) throws {
        descriptor = try Loopback.connect(port: port)
        var one: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<CInt>.size))
    }

    deinit {
        close(descriptor)
        buffer.deallocate()
    }

    /// Sends a request and waits for the whole response.
    ///
    /// - Returns: the response, which is valid until the next request.
    @discardableResult
    func exchange(_ request: [UInt8]) throws -> UnsafeRawBufferPointer {
        guard send(descriptor, request, request.count, CInt(MSG_NOSIGNAL)) == request.count else {
            throw Failure(description: "cannot send: \(errno)")
        }
        var count = 0
        while true {
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let more = recv(descriptor, room.baseAddress, room.count, 0)
            guard more > 0 else { throw Failure(description: "the connection was closed") }
            count += more
            if let length = responseLength(count), length <= count {
                return UnsafeRawBufferPointer(rebasing: buffer[..<length])
            }
        }
    }

    /// The length of the response that begins in the buffer; nil: its head is not complete.
    private func responseLength(_ count: Int) -> Int? {
        let received = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        guard let end = received.place(after: "\r\n\r\n") else { return nil }
        guard let field = received.place(after: "Content-Length: ") else { return end }
        return end + received[field...].prefix { $0 != UInt8(ascii: "\r") }.reduce(0) { 10 * $0 + Int($1 & 0xF) }
    }
}

extension UnsafeRawBufferPointer {
    /// Where the first occurrence of a string ends; nil: there is none.
    fileprivate func place(after text: StaticString) -> Int? {
        let text = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        for start in indices.dropLast(text.count - 1) where self[start] == text[0] {
            if self[start...].prefix(text.count).elementsEqual(text) { return start + text.count }
        }
        return nil
    }
}
