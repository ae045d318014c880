import MicroHTTP

extension RequestHead {
    /// Which of some media types the Accept fields like best (RFC 9110, section 12.5.1); of those they like as much,
    /// the first. Nil: they leave out all of them.
    func preferred(of types: [String]) -> String? {
        let ranges = headers.values("Accept").flatMap { $0.split(separator: ",") }.map(MediaRange.init)
        guard !ranges.isEmpty else { return types.first }
        let best = types.map { type in (type: type, quality: MediaRange.quality(of: type, in: ranges)) }
            .reduce(nil as (type: String, quality: Double)?) { best, next in
                next.quality > best?.quality ?? 0 ? next : best
            }
        return best?.type
    }

    /// Whether the body is said to be of one of these types, or nothing is said of it.
    func hasBody(of types: [String]) -> Bool {
        guard let type = headers["Content-Type"] else { return true }
        let essence = type.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
        return types.contains(essence.lowercased())
    }
}

/// What an Accept field takes: `text/*;q=0.5`.
private struct MediaRange {
    var name: String
    /// How much it is liked, 0…1; what cannot be read counts as 1.
    var quality = 1.0

    init(_ text: Substring) {
        let parts = text.lowercased().split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
        name = parts.first ?? ""
        for part in parts.dropFirst() where part.hasPrefix("q=") {
            quality = Double(part.dropFirst(2)).map { min(max($0, 0), 1) } ?? 1
        }
    }

    /// How much a type is liked: what names it most exactly says so.
    static func quality(of type: String, in ranges: [MediaRange]) -> Double {
        let group = type.prefix { $0 != "/" }
        for name in [type, "\(group)/*", "*/*"] {
            if let quality = ranges.filter({ $0.name == name }).map(\.quality).max() { return quality }
        }
        return 0
    }
}
