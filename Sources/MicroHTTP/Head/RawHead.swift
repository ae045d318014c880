internal import CMicroHTTPD
internal import Glibc

/// The head of a request where libmicrohttpd has it in memory. It is valid in the call in which the library passes it on.
///
/// The library has replaced separators by NULs: the ends of lines, the colons, and `?`, `&` and `=` in the target. So the
/// target is here again as it was sent.
struct RawHead {
    /// Where the library has found a header.
    struct FieldPlace: Equatable {
        fileprivate var name: Range<Int>
        /// nil: the header has no value, not even an empty one.
        fileprivate var value: Range<Int>?
    }

    /// The places of headers, as offsets from the start of the head.
    fileprivate struct FieldPlaces {
        let start: UnsafePointer<CChar>
        var places: [FieldPlace] = []

        /// Where a string is.
        func range(_ text: UnsafePointer<CChar>, _ size: Int) -> Range<Int> {
            let offset = text - start
            return offset..<offset + size
        }
    }

    /// The method, which ends with a NUL, and with which the head begins.
    let method: UnsafePointer<CChar>
    /// The version, which ends with a NUL.
    let version: UnsafePointer<CChar>
    /// The whole head, with the empty line at its end.
    let bytes: UnsafeRawBufferPointer
    /// The target as it was sent.
    let target: [UInt8]
    /// The places of the headers, in the order in which they were sent.
    let places: [FieldPlace]
    let client: ClientConnection

    /// - Parameter memory: the places of another head, whose memory is used again if that head is gone.
    init(
        of flight: Flight,
        _ client: ClientConnection,
        method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>,
        reusing memory: inout [FieldPlace]
    ) {
        self.method = method
        self.version = version
        bytes = UnsafeRawBufferPointer(start: method, count: microhttp_head_size(flight.connection))
        target = flight.rawTarget
        self.client = client
        var found = FieldPlaces(start: method)
        swap(&found.places, &memory)
        found.places.removeAll(keepingCapacity: true)
        withUnsafeMutablePointer(to: &found) { found in
            _ = MHD_get_connection_values_n(flight.connection, MHD_ValueKind.HEADER_KIND, noteField, found)
        }
        places = found.places
        memory = places
    }

    /// The headers, and whether the head follows the grammar.
    func read() -> (headers: HeaderFields, isStrict: Bool) {
        var headers = HeaderFields()
        headers.reserve(fieldCount: places.count, byteCount: 512)
        var form = HeadForm(version: version, end: method + bytes.count)
        for place in places {
            let (name, value) = (text(at: place.name), text(at: place.value))
            form.add(name, value)
            name.withMemoryRebound(to: UInt8.self) { name in
                value.withMemoryRebound(to: UInt8.self) { value in headers.add(name, Self.trimmed(value, of: name)) }
            }
        }
        return (headers, form.isStrict && hasPlainRequestLine)
    }

    /// The most arguments that the library can have found in the target.
    var mostArguments: Int {
        target.contains(UInt8(ascii: "?")) ? 1 + target.count { $0 == UInt8(ascii: "&") } : 0
    }

    /// Whether the request line has a method, a target and a version, with one space between them. The library skips further spaces,
    /// and a NUL hides what follows it.
    private var hasPlainRequestLine: Bool {
        let methodSize = strlen(method)
        return version - method == methodSize + 1 + target.count + 1
            && method.withMemoryRebound(to: UInt8.self, capacity: methodSize) {
                UnsafeBufferPointer(start: $0, count: methodSize).isToken
            }
    }

    /// The value without the blanks after it, which do not belong to it (RFC 9110, section 5.5). The library has removed those
    /// before it. It reads a transfer coding with its blanks, so that value stays as it is: both must see the same body.
    private static func trimmed(
        _ value: UnsafeBufferPointer<UInt8>,
        of name: UnsafeBufferPointer<UInt8>
    ) -> UnsafeBufferPointer<UInt8> {
        guard !name.equalsIgnoringASCIICase("Transfer-Encoding") else { return value }
        let last = value.lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        return UnsafeBufferPointer(rebasing: value.prefix(last.map { $0 + 1 } ?? 0))
    }

    private func text(at range: Range<Int>?) -> UnsafeBufferPointer<CChar> {
        guard let range else { return UnsafeBufferPointer(start: nil, count: 0) }
        return UnsafeBufferPointer(start: method + range.lowerBound, count: range.count)
    }
}

/// libmicrohttpd calls this with each header of a request.
private func noteField(
    found: UnsafeMutableRawPointer?,
    kind: MHD_ValueKind,
    name: UnsafePointer<CChar>?,
    nameSize: Int,
    value: UnsafePointer<CChar>?,
    valueSize: Int
) -> MHD_Result {
    guard let found = found?.assumingMemoryBound(to: RawHead.FieldPlaces.self), let name else { return MHD_Result.YES }
    let valueRange = value.map { found.pointee.range($0, valueSize) }
    found.pointee.places.append(
        RawHead.FieldPlace(name: found.pointee.range(name, nameSize), value: valueRange)
    )
    return MHD_Result.YES
}
