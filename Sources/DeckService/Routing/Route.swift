import MicroHTTP

/// A path and its endpoints.
final class Route: Sendable {
    let pattern: PathPattern
    let endpoints: [(method: HTTPMethod, endpoint: Endpoint)]
    /// Its number in the router, starting with 1.
    let number: Int
    /// A path with GET also has HEAD, and every path has OPTIONS.
    let methods: [String]
    /// The value of Allow.
    var allow: String { methods.joined(separator: ", ") }
    private let isMarkedForOperators: Bool

    convenience init(_ pattern: String, _ endpoints: [(method: HTTPMethod, endpoint: Endpoint)]) {
        self.init(PathPattern(pattern), endpoints, number: 0, isMarkedForOperators: false)
    }

    private init(
        _ pattern: PathPattern,
        _ endpoints: [(method: HTTPMethod, endpoint: Endpoint)],
        number: Int,
        isMarkedForOperators: Bool
    ) {
        self.pattern = pattern
        self.endpoints = endpoints
        self.number = number
        self.isMarkedForOperators = isMarkedForOperators
        var methods = endpoints.map(\.method.rawValue)
        if methods.contains("GET") { methods.append("HEAD") }
        self.methods = methods + ["OPTIONS"]
    }

    /// Whether it is for operators and back ends: it is marked, or all its endpoints require an API key.
    var isForOperators: Bool {
        isMarkedForOperators || endpoints.allSatisfy { $0.endpoint.access.requiresKey }
    }

    /// The same route, marked as one for operators.
    func markedForOperators() -> Route {
        Route(pattern, endpoints, number: number, isMarkedForOperators: true)
    }

    /// The same route with a number.
    func numbered(_ number: Int) -> Route {
        Route(pattern, endpoints, number: number, isMarkedForOperators: isMarkedForOperators)
    }

    func endpoint(for method: HTTPMethod) -> Endpoint? {
        let method = method == .head ? .get : method
        return endpoints.first { $0.method == method }?.endpoint
    }
}
