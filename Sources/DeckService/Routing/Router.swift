import MicroHTTP

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

/// A path and its endpoints.
final class Route: Sendable {
    let pattern: PathPattern
    let endpoints: [(method: HTTPMethod, endpoint: Endpoint)]
    /// Its number in the router, starting with 1.
    let number: Int
    /// The value of Allow: a path with GET also has HEAD, and every path has OPTIONS.
    let allow: String
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
        allow = (methods + ["OPTIONS"]).joined(separator: ", ")
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

/// One method at one path.
final class Endpoint: Sendable {
    /// The kind of body that it reads, which determines the maximum length.
    enum Body: Sendable {
        case none
        /// A deck, or an object that contains a deck.
        case deck
        case other
    }

    /// Who may use it.
    let access: Access
    /// The kind of its body.
    let body: Body
    /// The media types of its answers. The first one is the default.
    let produces: [String]
    /// The media type of problems. An endpoint whose answer has no body names it as an alternative, because a generated
    /// client accepts nothing else there.
    static let problemType = "application/problem+json"
    /// The media types that the body of a request may have, if its method is not PATCH.
    static let bodyTypes = ["application/json"]
    /// The media types that the body of a PATCH may have.
    static let patchTypes = ["application/merge-patch+json"] + bodyTypes
    /// Answers a call, or makes sure that its exchange is answered later.
    typealias Answer = @Sendable (Call) throws(Problem) -> Reply

    /// Reads what the answer needs from a head, once for all requests with the same head.
    let prepare: @Sendable (RequestHead) -> Answer

    convenience init(
        access: Access,
        body: Body = .none,
        produces: String = "application/json",
        or alternative: String? = nil,
        _ answer: @escaping Answer
    ) {
        self.init(access: access, body: body, [produces] + (alternative.map { [$0] } ?? [])) { _ in answer }
    }

    /// An endpoint that reads the head separately, because clients often send the same one.
    ///
    /// - Parameters:
    ///   - read: reads the head. A problem is the answer to all calls with that head.
    ///   - answer: answers a call with what was read.
    convenience init<Reading: Sendable>(
        access: Access,
        body: Body = .none,
        produces: String = "application/json",
        reading read: @escaping @Sendable (RequestHead) throws(Problem) -> Reading,
        _ answer: @escaping @Sendable (Call, Reading) throws(Problem) -> Reply
    ) {
        self.init(access: access, body: body, [produces]) { head in
            do throws(Problem) {
                let reading = try read(head)
                return { call throws(Problem) in try answer(call, reading) }
            } catch {
                return { _ throws(Problem) in throw error }
            }
        }
    }

    private init(
        access: Access,
        body: Body,
        _ produces: [String],
        preparing prepare: @escaping @Sendable (RequestHead) -> Answer
    ) {
        self.access = access
        self.body = body
        self.produces = produces
        self.prepare = prepare
    }
}

/// The result of an endpoint.
enum Reply: Sendable {
    case now(Response)
    /// The exchange is answered later.
    case later
    /// The answer is the result of another ``Step``.
    case next(@Sendable () throws(Problem) -> Reply)
}

/// Finds the endpoint of a request.
struct Router: Sendable {
    let routes: [Route]
    /// The routes by their number of segments.
    private let routesByLength: [[Route]]

    init(routes: [Route]) {
        self.init(numbered: routes.enumerated().map { place, route in route.numbered(place + 1) })
    }

    /// The routes that are not for operators, with their numbers in this router.
    var withoutOperators: Router {
        Router(numbered: routes.filter { !$0.isForOperators })
    }

    private init(numbered routes: [Route]) {
        self.routes = routes
        let longest = routes.map(\.pattern.segmentCount).max() ?? 0
        routesByLength = (0...longest).map { length in routes.filter { $0.pattern.segmentCount == length } }
    }

    /// The route of a path.
    func route(for segments: [String]) -> Route? {
        guard segments.count < routesByLength.count else { return nil }
        return routesByLength[segments.count].first { $0.pattern.matches(segments) }
    }
}
