/// A path with variables: `/v1/sessions/{id}/events`.
struct PathPattern: Sendable {
    private enum Part: Sendable {
        case literal(String)
        case parameter
    }

    /// The path as it is written in `docs/openapi.yaml`.
    let text: String
    private let parts: [Part]
    private let parameterPlaces: [Int]

    init(_ text: String) {
        self.text = text
        let names = text.split(separator: "/")
        parts = names.map { $0.hasPrefix("{") ? .parameter : .literal(String($0)) }
        parameterPlaces = names.indices.filter { names[$0].hasPrefix("{") }
    }

    var segmentCount: Int { parts.count }

    /// Whether a path matches.
    func matches(_ segments: [String]) -> Bool {
        guard segments.count == parts.count else { return false }
        for place in parts.indices {
            if case .literal(let text) = parts[place], text != segments[place] { return false }
        }
        return true
    }

    /// The values of the variables in a path that matches.
    func parameters(of segments: [String]) -> [String] {
        parameterPlaces.map { segments[$0] }
    }
}
