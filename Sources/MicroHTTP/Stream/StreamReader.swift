internal import CMicroHTTPD

/// A stream on its connection. The library's response holds a retained pointer to it until it is destroyed.
final class StreamReader {
    let stream: BodyStream
    /// Use it only on the worker's thread, and not after completion.
    let connection: OpaquePointer
    var isSuspended = false

    init(stream: BodyStream, connection: OpaquePointer) {
        self.stream = stream
        self.connection = connection
    }

    /// Provides bytes, or suspends the connection. Otherwise the library would ask again at once.
    func read(into space: UnsafeMutableRawBufferPointer) -> Int {
        switch stream.read(into: space) {
        case .sent(let bytes):
            return bytes
        case .park:
            isSuspended = true
            MHD_suspend_connection(connection)
            return 0
        case .finish:
            return microhttp_stream_end
        case .abort:
            return microhttp_stream_abort
        }
    }

    /// Resumes the connection if it is suspended.
    func resume() {
        guard isSuspended else { return }
        isSuspended = false
        MHD_resume_connection(connection)
    }
}

/// A connection can take more of its stream. Callbacks.swift says why this is at file scope.
func readStream(
    context: UnsafeMutableRawPointer?,
    position: UInt64,
    space: UnsafeMutablePointer<CChar>?,
    spaceBytes: Int
) -> Int {
    guard let context, let space, spaceBytes > 0 else { return microhttp_stream_abort }
    return Unmanaged<StreamReader>.fromOpaque(context).takeUnretainedValue().read(
        into: UnsafeMutableRawBufferPointer(start: space, count: spaceBytes)
    )
}

/// The library has released a stream's response.
func releaseStream(context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<StreamReader>.fromOpaque(context).release()
}
