import MicroHTTP

extension RequestHead {
    /// The media type with the highest quality in the Accept headers (RFC 9110, section 12.5.1), or the first of several.
    /// nil: the headers accept none of the types.
    func preferred(of types: [String]) -> String? {
        guard headers.contains("Accept") else { return types.first }
        var preferences = types.map(TypePreference.init)
        var isWithoutWish = true
        // Every field is read once, whatever it lists, so that a long one costs no more than another field of its length.
        for var field in headers.values("Accept") {
            field.withUTF8 { bytes in
                var place = 0
                while let range = MediaRange(in: bytes, from: &place) {
                    isWithoutWish = isWithoutWish && range.isEmpty
                    for place in preferences.indices { preferences[place].take(range) }
                }
            }
        }
        guard !isWithoutWish else { return types.first }
        return preferences.reduce(nil as TypePreference?) { best, next in
            next.thousandths > best?.thousandths ?? 0 ? next : best
        }?.type
    }

    /// Throws a problem if the Accept headers exclude all of these types.
    func checkAccept(_ types: [String]) throws(Problem) {
        guard preferred(of: types) == nil else { return }
        let names = types.joined(separator: " or ")
        throw Problem(.notAcceptable, "The response would be \(names), which the Accept header excludes.")
    }

    /// Whether Accept-Encoding names a content coding, in lower case, with a quality above 0 (RFC 9110, section 12.5.3).
    func accepts(coding: String) -> Bool {
        var named: Int?
        var others: Int?
        for var field in headers.values("Accept-Encoding") {
            field.withUTF8 { bytes in
                var place = 0
                while let range = MediaRange(in: bytes, from: &place) {
                    if range.isNamed(coding) { named = range.thousandths }
                    if range.isNamed("*") { others = range.thousandths }
                }
            }
        }
        return named ?? others ?? 0 > 0
    }

    /// Whether the body has a content coding, such as gzip (RFC 9110, section 8.4).
    var hasEncodedBody: Bool {
        headers.contains("Content-Encoding")
            && headers.values("Content-Encoding").contains { $0.lowercased() != "identity" }
    }

    /// Whether the first Content-Type names one of these types, which are in lower case, or there is none.
    func hasBody(of types: [String]) -> Bool {
        headers.withValue(of: "Content-Type") { value in
            let end = value.firstIndex { $0 == UInt8(ascii: ";") || $0.isBlank } ?? value.endIndex
            let essence = UnsafeBufferPointer(rebasing: value[..<end])
            return types.contains { type in
                var type = type
                return type.withUTF8 { essence.equalsIgnoringASCIICase($0) }
            }
        } ?? true
    }
}

/// The quality of a media type. The range that names the type most exactly determines it.
private struct TypePreference {
    let type: String
    /// The quality in thousandths.
    private(set) var thousandths = 0
    /// How exactly a range names the type, see ``MediaRange/exactness(for:)``.
    private var exactness = 0

    init(_ type: String) {
        self.type = type
    }

    mutating func take(_ range: MediaRange) {
        let exactness = range.exactness(for: type)
        guard exactness > 0, exactness >= self.exactness else { return }
        thousandths = exactness > self.exactness ? range.thousandths : max(thousandths, range.thousandths)
        self.exactness = exactness
    }
}
