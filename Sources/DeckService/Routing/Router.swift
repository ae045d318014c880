/// Finds the endpoint of a request.
struct Router: Sendable {
    let routes: [Route]
    /// The routes by their number of segments.
    private let routesByLength: [[Route]]

    /// The value of Allow for the whole server: every method of a route.
    var allow: String { Set(routes.flatMap(\.methods)).sorted().joined(separator: ", ") }

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
