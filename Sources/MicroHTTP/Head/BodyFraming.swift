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
