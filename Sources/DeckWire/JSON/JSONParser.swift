import CSimdJSON

/// Reads JSON documents (RFC 8259) strictly and quickly, with buffers that are kept from one document to the next.
///
/// A parser is not `Sendable`: each worker thread makes its own and keeps it. It reads one document at a time; calling
/// `read` again from inside its own closure is a mistake in the program and traps.
public final class JSONParser {
    /// The memory a document of this size needs is kept for the next one; what a larger one took is freed after it.
    private static let keptBytes = 1 << 20

    private let maximumBytes: Int
    private let maximumValues: Int
    /// Made when it is first needed; nil after that: there was no memory, and the next reading tries again.
    private var parser: OpaquePointer?
    private var isReading = false

    /// Makes a parser that refuses documents beyond these limits.
    ///
    /// - Parameters:
    ///   - maximumBytes: the longest document, at most 1 GiB.
    ///   - maximumValues: how many values (containers, elements and the members' values) a document may hold.
    public init(maximumBytes: Int = 16 << 20, maximumValues: Int = 4_000_000) {
        self.maximumBytes = max(0, maximumBytes)
        self.maximumValues = max(0, maximumValues)
    }

    deinit {
        if let parser { csj_parser_destroy(parser) }
    }

    /// Parses a document and gives its root to `body`; the result is what `body` returns.
    ///
    /// The value, and everything reached through it, points into the parser's buffers and is valid only until `body`
    /// returns: nothing of it may be kept, only what was read from it. The usual body is an initializer:
    ///
    ///     let event = try parser.read(body, DragEvent.init)
    ///
    /// - Throws: a `malformed` error that names the byte if this is not a JSON document, a `memoryShort` error, or
    ///   whatever `body` throws.
    public func read<Result>(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (JSONValue) throws(WireError) -> Result
    ) throws(WireError) -> Result {
        precondition(!isReading, "A JSON parser reads one document at a time.")
        if parser == nil { parser = csj_parser_create(maximumBytes, maximumValues) }
        guard let parser else { throw WireError(.memoryShort, at: "", "cannot be read, because memory is short") }
        isReading = true
        defer {
            csj_parser_trim(parser, Self.keptBytes)
            isReading = false
        }
        var document = CSJDocument()
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let status = csj_parser_parse(parser, start, bytes.count, &document)
        guard status == .success, let nodes = document.nodes, let source = document.source else {
            throw Self.error(status, document)
        }
        return try body(JSONValue(nodes: nodes, source: source, index: 0))
    }

    /// Parses a document and gives its root to `body`, as for raw bytes.
    public func read<Result>(
        _ bytes: [UInt8],
        _ body: (JSONValue) throws(WireError) -> Result
    ) throws(WireError) -> Result {
        try bytes.withUnsafeBufferPointer { (buffer) throws(WireError) in
            try read(UnsafeRawBufferPointer(buffer), body)
        }
    }

    private static func error(_ status: CSJStatus, _ document: CSJDocument) -> WireError {
        let reason = document.reason.map { String(cString: $0) } ?? "the document cannot be read"
        let place = "at byte \(document.error_offset)"
        let detail =
            switch status {
            case .outOfMemory: "cannot be read, because \(reason)"
            case .empty, .tooManyBytes, .tooManyNodes: "cannot be read as JSON: \(reason)"
            case .invalidUTF8, .numberOutOfRange, .tooDeep: "cannot be read as JSON: \(reason), \(place)"
            case .success, .syntax: "is not JSON: \(reason), \(place)"
            }
        return WireError(status == .outOfMemory ? .memoryShort : .malformed, at: "", detail)
    }
}
