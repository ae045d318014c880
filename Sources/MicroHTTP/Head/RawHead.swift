internal import CMicroHTTPD

/// The head of a request where libmicrohttpd has it in memory. It is valid in the call in which the library passes it on.
///
/// The library has replaced separators by NULs: the ends of lines, the colons, and `?`, `&` and `=` in the target. So the
/// target is here again as it was sent.
struct RawHead {
    /// Where the library has found a header, as offsets from the start of the head.
    struct FieldPlace: Equatable {
        private var name: Int32
        private var nameSize: Int32
        private var value: Int32
        private var valueSize: Int32

        init(_ name: UnsafeBufferPointer<CChar>, _ value: UnsafeBufferPointer<CChar>, from start: UnsafeRawPointer?) {
            self.name = Self.offset(of: name, from: start)
            nameSize = Int32(clamping: name.count)
            self.value = Self.offset(of: value, from: start)
            valueSize = Int32(clamping: value.count)
        }

        /// The offset of a string; -1: it is missing.
        private static func offset(of text: UnsafeBufferPointer<CChar>, from start: UnsafeRawPointer?) -> Int32 {
            guard let start, let text = text.baseAddress else { return -1 }
            return Int32(clamping: UnsafeRawPointer(text) - start)
        }
    }

    let connection: OpaquePointer
    /// The method, which ends with a NUL, and with which the head begins.
    let method: UnsafePointer<CChar>
    /// The version, which ends with a NUL.
    let version: UnsafePointer<CChar>
    /// The whole head, with the empty line at its end.
    let bytes: UnsafeRawBufferPointer
    /// The target as it was sent.
    let target: [UInt8]
    let client: ClientConnection

    init(of flight: Flight, _ client: ClientConnection, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>) {
        connection = flight.connection
        self.method = method
        self.version = version
        bytes = UnsafeRawBufferPointer(start: method, count: microhttp_head_size(flight.connection))
        target = flight.rawTarget
        self.client = client
    }

    /// Reads the headers.
    func collect() -> CollectedHead {
        var head = CollectedHead(form: HeadForm(version: version, end: method + bytes.count), start: bytes.baseAddress)
        head.fields.reserve(fieldCount: 8, byteCount: 512)
        head.places.reserveCapacity(8)
        withUnsafeMutablePointer(to: &head) { head in
            _ = MHD_get_connection_values_n(connection, MHD_ValueKind.HEADER_KIND, collectField, head)
        }
        return head
    }

    /// Whether the library has found headers at exactly these places.
    func hasFields(at places: [FieldPlace]) -> Bool {
        places.withUnsafeBufferPointer { places in
            var comparison = FieldComparison(places: places, start: bytes.baseAddress)
            withUnsafeMutablePointer(to: &comparison) { comparison in
                _ = MHD_get_connection_values_n(connection, MHD_ValueKind.HEADER_KIND, compareField, comparison)
            }
            return comparison.areSame && comparison.count == places.count
        }
    }
}

/// The headers of a request, and how they were written.
struct CollectedHead {
    var fields = HeaderFields()
    var form: HeadForm
    var places: [RawHead.FieldPlace] = []
    /// The start of the head.
    let start: UnsafeRawPointer?

    init(form: HeadForm, start: UnsafeRawPointer?) {
        self.form = form
        self.start = start
    }

    /// Adds the next header.
    mutating func add(_ name: UnsafeBufferPointer<CChar>, _ value: UnsafeBufferPointer<CChar>) {
        form.add(name, value)
        places.append(RawHead.FieldPlace(name, value, from: start))
        name.withMemoryRebound(to: UInt8.self) { name in
            value.withMemoryRebound(to: UInt8.self) { value in fields.add(name, value) }
        }
    }
}

/// A comparison of the places of headers, one after the other.
struct FieldComparison {
    let places: UnsafeBufferPointer<RawHead.FieldPlace>
    /// The start of the head.
    let start: UnsafeRawPointer?
    /// How many headers were compared.
    private(set) var count = 0
    private(set) var areSame = true

    init(places: UnsafeBufferPointer<RawHead.FieldPlace>, start: UnsafeRawPointer?) {
        self.places = places
        self.start = start
    }

    /// Compares the next header. Returns whether all headers so far are at the same places.
    mutating func add(_ name: UnsafeBufferPointer<CChar>, _ value: UnsafeBufferPointer<CChar>) -> Bool {
        areSame = count < places.count && RawHead.FieldPlace(name, value, from: start) == places[count]
        count += 1
        return areSame
    }
}
