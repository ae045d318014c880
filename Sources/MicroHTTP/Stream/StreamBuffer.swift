/// What a stream has to send, and how far it has come.
///
///     open ──> ending ──────> over
///       ├────> stopping ───────^
///       └────> cutOff ─────────┘
///     and from open ──> over, when the client leaves.
///
/// It is parked when the reader found nothing to send, and its connection is suspended then. The next change has the worker
/// resume it, once. The transitions return what the caller must do; nothing is done here.
struct StreamBuffer: Sendable {
    enum Phase: Equatable {
        /// Bytes are taken.
        case open
        /// What waits is sent, then the body ends.
        case ending
        /// The same, because the server stops.
        case stopping
        /// Nothing more is sent, for a cause.
        case cutOff(BodyStream.End)
        /// The connection is done with it.
        case over
    }

    enum WriteAction: Equatable {
        case none
        /// The worker must resume the connection.
        case serve
        /// The worker must close the connection. The bytes were not taken.
        case cutOff
        /// The bytes were not taken, and the worker knows.
        case refuse
    }

    enum ReadAction: Equatable {
        case sent(bytes: Int)
        /// There is nothing now: suspend the connection.
        case park
        /// There is nothing and there never will be: end the body.
        case finish
        /// Close the connection without the body's end.
        case abort
    }

    enum FinishEvent: Equatable {
        /// The response was sent to its end.
        case complete
        /// The connection broke off.
        case broken
        /// The stream never had a connection.
        case dropped
    }

    /// How many bytes may wait. If nothing waits, more bytes can be written at once.
    let limitBytes: Int
    private(set) var phase = Phase.open
    private(set) var isParked = false
    private var bytes: [UInt8] = []
    private var sentBytes = 0

    init(limitBytes: Int) {
        self.limitBytes = limitBytes
    }

    /// How many bytes wait.
    var waitingBytes: Int { bytes.count - sentBytes }

    /// The number of stored bytes, including those that were read and not yet dropped.
    var storedBytes: Int { bytes.count }

    var isOpen: Bool { phase == .open }

    var isCutOff: Bool {
        if case .cutOff = phase { true } else { false }
    }

    /// The application writes, from any thread.
    mutating func write(_ new: [UInt8]) -> WriteAction {
        guard phase == .open else { return .refuse }
        // However long it is, it is taken if nothing waits.
        guard waitingBytes == 0 || new.count <= limitBytes - waitingBytes else {
            return cutOff(.overflow)
        }
        guard !new.isEmpty else { return .none }
        append(new)
        return unpark()
    }

    /// Nothing more is sent.
    mutating func cutOff(_ cause: BodyStream.End) -> WriteAction {
        guard phase == .open else { return .refuse }
        phase = .cutOff(cause)
        forget()
        isParked = false
        return .cutOff
    }

    /// The application ends the stream, from any thread. The last bytes are taken beyond the limit, as there can be no more.
    mutating func end(with last: [UInt8] = []) -> WriteAction {
        close(in: .ending, with: last)
    }

    /// The server stops. The last bytes are taken beyond the limit, as there can be no more.
    mutating func stop(_ last: [UInt8]) -> WriteAction {
        close(in: .stopping, with: last)
    }

    private mutating func close(in next: Phase, with last: [UInt8]) -> WriteAction {
        guard phase == .open else { return .none }
        phase = next
        append(last)
        return unpark()
    }

    /// The heartbeat is due. It is left out while bytes wait, so that heartbeats alone never fill the buffer.
    mutating func beat(_ heartbeat: [UInt8]) -> WriteAction {
        guard phase == .open, waitingBytes == 0 else { return .none }
        return write(heartbeat)
    }

    /// The connection can take as many bytes as there is space, which must not be empty.
    mutating func read(into space: UnsafeMutableRawBufferPointer) -> ReadAction {
        switch phase {
        case .cutOff, .over:
            return .abort
        case .open where waitingBytes == 0:
            isParked = true
            return .park
        case .ending where waitingBytes == 0, .stopping where waitingBytes == 0:
            return .finish
        case .open, .ending, .stopping:
            let count = min(space.count, waitingBytes)
            bytes[sentBytes..<(sentBytes + count)].withUnsafeBytes { space.copyMemory(from: $0) }
            sentBytes += count
            if waitingBytes == 0 {
                forget()
            }
            return .sent(bytes: count)
        }
    }

    /// The connection is done with the stream; says why it is over. Only the first call counts.
    mutating func finish(_ event: FinishEvent) -> BodyStream.End {
        let before = phase
        phase = .over
        isParked = false
        forget()
        switch (event, before) {
        case (.dropped, _): return .notBegun
        case (_, .cutOff(let cause)): return cause
        case (_, .stopping): return .stopping
        // A response to HEAD is complete without its body.
        case (.complete, _): return .ended
        case (.broken, _): return .clientLeft
        }
    }

    private mutating func unpark() -> WriteAction {
        guard isParked else { return .none }
        isParked = false
        return .serve
    }

    private mutating func append(_ new: [UInt8]) {
        if bytes.isEmpty {
            // The same bytes often go to many streams, which then share their storage.
            bytes = new
            return
        }
        // A slow reader never empties the buffer, so what it has taken must go before it outweighs what waits.
        if sentBytes > bytes.count / 2 {
            bytes.removeFirst(sentBytes)
            sentBytes = 0
        }
        bytes.append(contentsOf: new)
    }

    /// Idle streams hold no memory for bytes.
    private mutating func forget() {
        bytes = []
        sentBytes = 0
    }
}
