import MicroHTTP

/// A path with a place for each part that varies: `/v1/sessions/{id}/events`.
struct PathPattern: Sendable {
    private enum Part: Sendable {
        case literal(String)
        case parameter
    }

    /// The path as it is written in the document.
    let text: String
    private let parts: [Part]

    init(_ text: String) {
        self.text = text
        parts = text.split(separator: "/").map { $0.hasPrefix("{") ? .parameter : .literal(String($0)) }
    }

    /// The varying parts of a path that fits; nil if it does not.
    func match(_ segments: [String]) -> [String]? {
        guard segments.count == parts.count else { return nil }
        var parameters: [String] = []
        for (part, segment) in zip(parts, segments) {
            switch part {
            case .literal(let text): guard text == segment else { return nil }
            case .parameter: parameters.append(segment)
            }
        }
        return parameters
    }
}

/// What can be done at one path.
struct Route: Sendable {
    var pattern: PathPattern
    var endpoints: [(method: HTTPMethod, endpoint: Endpoint)]
    /// Its place among the router's routes, beginning with 1.
    fileprivate(set) var number = 0
    private var isMarkedForOperators = false

    init(_ pattern: String, _ endpoints: [(method: HTTPMethod, endpoint: Endpoint)]) {
        self.pattern = PathPattern(pattern)
        self.endpoints = endpoints
    }

    /// Whether it is for those who run the server and for back ends: because it is marked, or because all of it needs a key.
    var isForOperators: Bool {
        isMarkedForOperators || endpoints.allSatisfy { $0.endpoint.access == .keys }
    }

    /// The same for operators only.
    func markedForOperators() -> Route {
        var route = self
        route.isMarkedForOperators = true
        return route
    }

    /// The value of the Allow field: GET brings HEAD along, and OPTIONS always applies.
    var allow: String {
        var methods = endpoints.map(\.method.rawValue)
        if methods.contains("GET") { methods.append("HEAD") }
        return (methods + ["OPTIONS"]).joined(separator: ", ")
    }

    func endpoint(for method: HTTPMethod) -> Endpoint? {
        let method = method == .head ? .get : method
        return endpoints.first { $0.method == method }?.endpoint
    }
}

/// One method at one path.
struct Endpoint: Sendable {
    /// What it reads as a request's body, which decides how long that may be.
    enum Body: Sendable {
        case none
        /// A deck, or something with a deck in it.
        case deck
        case other
    }

    /// Who may use it.
    var access: Access
    /// What it reads.
    var body: Body
    /// The media types that its answers can have; the first where a client has no wish.
    var produces: [String]
    /// Answers, or sees to it that the call's exchange is answered later.
    var answer: @Sendable (Call) throws(Problem) -> Reply

    init(
        access: Access,
        body: Body = .none,
        produces: String = "application/json",
        or alternative: String? = nil,
        _ answer: @escaping @Sendable (Call) throws(Problem) -> Reply
    ) {
        self.access = access
        self.body = body
        self.produces = [produces] + (alternative.map { [$0] } ?? [])
        self.answer = answer
    }
}

/// What an endpoint makes of a call.
enum Reply: Sendable {
    case now(Response)
    /// The exchange is answered later.
    case later
}

/// Finds the endpoint of a request.
struct Router: Sendable {
    let routes: [Route]

    init(routes: [Route]) {
        self.routes = routes.enumerated().map { place, route in
            var route = route
            route.number = place + 1
            return route
        }
    }

    /// The routes that are not for operators only, with the numbers that they have here.
    var withoutOperators: Router {
        Router(numbered: routes.filter { !$0.isForOperators })
    }

    private init(numbered routes: [Route]) {
        self.routes = routes
    }

    func match(_ segments: [String]) -> (route: Route, parameters: [String])? {
        for route in routes {
            if let parameters = route.pattern.match(segments) { return (route, parameters) }
        }
        return nil
    }
}
