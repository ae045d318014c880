internal import CMicroHTTPD

/// One request on its worker, from its request line to libmicrohttpd's notice of its completion.
///
/// It belongs to the worker's thread. libmicrohttpd carries a retained pointer to it.
final class Flight {
    enum Stage {
        /// The request line was read.
        case began
        /// The body is being read into ``body``.
        case receiving(limit: Int)
        /// The body is being read and dropped; no more than so many bytes of it.
        case refused(Response, drainLimit: Int)
        /// The application has the request.
        case responding(Exchange)
        /// The head of a stream has been queued.
        case streaming(StreamReader)
        /// A response has been queued.
        case answered
    }

    let id: RequestID
    let start = Instant.now()
    /// The request target as sent.
    let rawTarget: [UInt8]
    /// Only to be used on the worker's thread, and not after completion.
    let connection: OpaquePointer
    var stage = Stage.began
    var head: RequestHead?
    var body: [UInt8] = []
    var receivedBytes = 0
    /// The status of the answer that was queued.
    var status: Int?
    /// How many bytes were taken from the budget for the answer.
    var budgetedBytes = 0
    /// See ``RequestReport``.
    var admissionLabel = 0
    var answerLabel = 0
    var remark: String?

    init(id: RequestID, rawTarget: [UInt8], connection: OpaquePointer) {
        self.id = id
        self.rawTarget = rawTarget
        self.connection = connection
        LiveObjects.flights.add()
    }

    deinit {
        LiveObjects.flights.remove()
    }

    /// What became of the request by now.
    ///
    /// - Parameter isComplete: whether libmicrohttpd has sent the whole answer.
    func report(isComplete: Bool) -> RequestReport {
        let isStream: Bool = if case .streaming = stage { true } else { false }
        var report = RequestReport(
            id: id,
            head: head,
            status: status,
            duration: Instant.now().duration(since: start),
            receivedBytes: receivedBytes,
            isStream: isStream,
            isComplete: isComplete
        )
        report.admissionLabel = admissionLabel
        report.answerLabel = answerLabel
        report.remark = remark
        return report
    }
}

/// How a request's head announces its body.
enum BodyFraming: Equatable {
    case none
    case length(Int)
    case chunked
    /// The fields contradict each other or ask for a coding that is not known. Another program on the way may read
    /// them differently and see another request in the body, so nothing may be guessed (RFC 9112, section 11.2).
    case ambiguous

    init(_ headers: HeaderFields, version: String) {
        let codings = headers.values("Transfer-Encoding")
        let lengths = headers.values("Content-Length")
        switch (codings.first, lengths.first) {
        case (nil, nil):
            self = .none
        case (let coding?, nil) where codings.count == 1 && coding.equalsIgnoringASCIICase("chunked"):
            // Nothing before HTTP/1.1 knows chunks.
            self = version == "HTTP/1.1" ? .chunked : .ambiguous
        case (nil, let length?) where lengths.count == 1 && length.utf8.allSatisfy { (0x30...0x39).contains($0) }:
            // One beyond Int is beyond every limit as well.
            self = .length(Int(length) ?? .max)
        default:
            self = .ambiguous
        }
    }
}
