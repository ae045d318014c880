import CSimdJSON

/// Reads JSON documents (RFC 8259) strictly. Its buffers are reused from one document to the next.
///
/// A parser is not `Sendable`: each thread needs its own. It reads one document at a time. Calling `read` from inside the
/// closure of `read` is a programming error and traps.
public final class JSONParser {
    /// How deep the objects and arrays of a request's body may lie inside each other. `[[1]]` has the depth 2.
    public static let bodyDepth = 32

    /// The buffers for a document of up to this size are reused. Larger buffers are freed after their document.
    private static let keptBytes = 1 << 20

    /// Created on first use. It stays nil if there was no memory; the next call of `read` then tries again.
    private var parser: OpaquePointer?
    private var isReading = false

    /// Creates a parser. It makes its buffers on first use.
    public init() {}

    deinit {
        if let parser { csj_parser_destroy(parser) }
    }

    /// Parses a document of at most 1 GiB, calls `body` with its root, and returns the result of `body`.
    ///
    /// The root, and every value reached through it, points into the parser's buffers and is valid only until `body`
    /// returns. Do not store it; store what you read from it. The usual body is an initializer:
    ///
    ///     let event = try parser.read(body, DragEvent.init)
    ///
    /// - Parameter depth: how deep its objects and arrays may lie inside each other, at most 64.
    /// - Throws: a `malformed` error that names the byte if this is not a JSON document, a `memoryShort` error, or the error
    ///   of `body`.
    public func read<Result>(
        _ bytes: UnsafeRawBufferPointer,
        depth: Int = bodyDepth,
        _ body: (JSONValue) throws(WireError) -> Result
    ) throws(WireError) -> Result {
        precondition(!isReading, "A JSON parser reads one document at a time.")
        if parser == nil { parser = csj_parser_create() }
        guard let parser else {
            throw WireError(.memoryShort, at: "", "cannot be read because there is not enough memory")
        }
        isReading = true
        defer {
            csj_parser_trim(parser, Self.keptBytes)
            isReading = false
        }
        var document = CSJDocument()
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let status = csj_parser_parse(parser, start, bytes.count, CInt(min(depth, Int(CSJ_LARGEST_DEPTH))), &document)
        guard status == .success, let nodes = document.nodes, let source = document.source else {
            throw Self.error(status, document)
        }
        return try body(JSONValue(nodes: nodes, source: source, index: 0))
    }

    /// Parses a document and calls `body` with its root, as for raw bytes.
    public func read<Result>(
        _ bytes: [UInt8],
        depth: Int = bodyDepth,
        _ body: (JSONValue) throws(WireError) -> Result
    ) throws(WireError) -> Result {
        try bytes.withUnsafeBufferPointer { (buffer) throws(WireError) in
            try read(UnsafeRawBufferPointer(buffer), depth: depth, body)
        }
    }

    private static func error(_ status: CSJStatus, _ document: CSJDocument) -> WireError {
        let reason = document.reason.map { String(cString: $0) } ?? "the document cannot be read"
        let place = "at byte \(document.error_offset)"
        let detail =
            switch status {
            case .outOfMemory: "cannot be read, because \(reason)"
            case .empty, .tooManyBytes: "cannot be read as JSON: \(reason)"
            case .invalidUTF8, .numberOutOfRange, .tooDeep: "cannot be read as JSON: \(reason), \(place)"
            case .success, .syntax: "is not JSON: \(reason), \(place)"
            }
        return WireError(status == .outOfMemory ? .memoryShort : .malformed, at: "", detail)
    }
}
