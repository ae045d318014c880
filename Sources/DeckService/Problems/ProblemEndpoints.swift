import MicroHTTP

/// The explanation of each problem, at the path in a problem document's `type`.
struct ProblemEndpoints: Sendable {
    var routes: [Route] {
        let explanation = Endpoint(access: .open, produces: "text/plain") { call throws(Problem) in try explain(call) }
        return [Route("/problems/{name}", [(.get, explanation)])]
    }

    private func explain(_ call: Call) throws(Problem) -> Reply {
        guard let kind = ProblemKind(rawValue: call.parameters[0]) else {
            throw Problem(.notFound, "There is no problem type with this name.")
        }
        return .now(.text("\(kind.title) (\(kind.rawValue), status \(kind.status))\n\n\(kind.explanation)\n"))
    }
}
