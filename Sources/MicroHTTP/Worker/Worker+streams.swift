internal import SteadyClock
internal import CMicroHTTPD
internal import Logging

/// The streams of a worker.
extension Worker {
    /// Queues the head of a stream; its body follows through the library's calls of ``readStream``.
    func begin(_ head: StreamHead, _ stream: BodyStream, for flight: Flight) -> MHD_Result {
        var head = head
        application.addHeaders(to: &head.headers, of: flight.id, head: flight.head)
        let reader = StreamReader(stream: stream, connection: flight.connection)
        guard let made = makeLibraryResponse(head, reader: reader, closing: isStopping) else {
            stream.finish(.dropped)
            return queueFailure(status: head.status, for: flight)
        }
        // The connection has another reference until the stream is over.
        defer { MHD_destroy_response(made) }
        flight.stage = .streaming(reader)
        flight.isChecked = false
        flight.status = head.status
        // In an answer to HEAD libmicrohttpd 0.9.75 leaves out the body, but not the last chunk. The client would read that
        // as the start of the next response.
        let isHeadOnly = flight.head?.method == .head
        guard !isHeadOnly || microhttp_avoid_chunks(made) != 0,
            MHD_queue_response(flight.connection, UInt32(head.status), made) == MHD_Result.YES
        else {
            flight.stage = .answered
            stream.finish(.dropped)
            return MHD_Result.NO
        }
        readers[ObjectIdentifier(stream)] = reader
        if isStopping {
            stream.stop()
        }
        scheduleHeartbeat(of: stream)
        if let client = flight.client { poller.add(client) }
        return MHD_Result.YES
    }

    /// A stream has something to send, or must be cut off. A stream without a connection of this worker is over.
    func serve(_ stream: BodyStream) {
        guard let reader = readers[ObjectIdentifier(stream)] else { return }
        if stream.isCutOff {
            // The library asks the reader again only when the client takes bytes, and this client takes none.
            client(of: reader.connection)?.cut()
        }
        reader.resume()
    }

    /// Sends a heartbeat, which keeps an idle connection open and shows whether the client is still there.
    func beat(_ stream: BodyStream) {
        stream.beat()
        scheduleHeartbeat(of: stream)
    }

    private func scheduleHeartbeat(of stream: BodyStream) {
        let seconds = configuration.streamHeartbeatSeconds
        guard seconds > 0, !stream.heartbeat.isEmpty else { return }
        alarms.add(Alarm(due: .now() + .seconds(seconds), call: .heartbeat(stream)))
    }

    /// Ends every stream that has closing bytes.
    func stopStreams() {
        for reader in readers.values {
            reader.stream.stop()
        }
    }

    /// Cuts off the streams that have not ended within the grace period.
    func cutStreams() {
        for reader in readers.values {
            reader.stream.cutOff(.stopping)
        }
    }
}
