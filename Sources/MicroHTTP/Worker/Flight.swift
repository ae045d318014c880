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
        /// The body is being read and dropped; this is the maximum number of bytes.
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
    /// Use it only on the worker's thread, and not after completion.
    let connection: OpaquePointer
    var stage = Stage.began
    var head: RequestHead?
    var body: [UInt8] = []
    var receivedBytes = 0
    /// The status of the answer that was queued.
    var status: Int?
    /// How many bytes were taken from the budget for the answer.
    var budgetedBytes = 0
    /// The address for which the request counts as a connection, because it came through a proxy.
    var countedAddress: ClientAddress?
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

    /// The state of the request so far.
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
    /// The fields contradict each other or name an unknown coding. A proxy may read them differently and see another request in
    /// the body, so the server must not guess (RFC 9112, section 11.2).
    case ambiguous

    init(_ headers: HeaderFields, version: String) {
        let (codings, lengths) = (headers.count(of: "Transfer-Encoding"), headers.count(of: "Content-Length"))
        switch (codings, lengths) {
        case (0, 0):
            self = .none
        case (1, 0) where headers.withValue(of: "Transfer-Encoding") { $0.equalsIgnoringASCIICase("chunked") } == true:
            // HTTP/1.0 has no chunks.
            self = version == "HTTP/1.1" ? .chunked : .ambiguous
        case (0, 1):
            self = headers.withValue(of: "Content-Length", Self.length) ?? .ambiguous
        default:
            self = .ambiguous
        }
    }

    /// The framing by a Content-Length. A length beyond Int exceeds every limit anyway.
    private static func length(_ text: UnsafeBufferPointer<UInt8>) -> BodyFraming {
        guard !text.isEmpty, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return .ambiguous }
        var length = 0
        for digit in text {
            let (product, isTooMuch) = length.multipliedReportingOverflow(by: 10)
            let (sum, isTooMuchAsWell) = product.addingReportingOverflow(Int(digit & 0xF))
            guard !isTooMuch, !isTooMuchAsWell else { return .length(.max) }
            length = sum
        }
        return .length(length)
    }
}
