public import MicroHTTP

extension DeckService {
    /// Checks what the head shows: the Host and the Origin, the path, the method, the credentials, and the media types of the
    /// body and of the response. Also says how long the body may be.
    public func admit(_ head: RequestHead) -> Admission {
        // The asterisk has no segments either, and is not the path of the page.
        let route = head.target.isAsterisk ? nil : router.route(for: head.target.segments)
        return admission(of: head, to: route, label: route?.number ?? 0)
    }

    private func admission(of head: RequestHead, to route: Route?, label: Int) -> Admission {
        do throws(Problem) {
            let endpoint = route?.endpoint(for: head.method)
            try pageGuard.admit(head, readsBody: endpoint.map { $0.body != .none } ?? false)
            if head.target.isAsterisk {
                return .refuse(Response(status: 204, headers: ["Allow": router.allow]), label: label)
            }
            guard let route else { throw Problem(.notFound, "There is no such path.") }
            if head.method == .options {
                return .refuse(Response(status: 204, headers: ["Allow": route.allow]), label: label)
            }
            guard let endpoint else {
                var problem = Problem(
                    .methodNotAllowed,
                    "This path does not support \(head.method). It supports \(route.allow)."
                )
                problem.headers.set("Allow", route.allow)
                throw problem
            }
            let claim = try gate.admit(head, to: endpoint.access)
            try checkTypes(of: head, for: endpoint)
            let plan = CallPlan(head, route, endpoint, claim)
            return .accept(bodyLimitBytes: bodyLimits.bytes(of: endpoint.body), label: label, plan: plan)
        } catch {
            return .refuse(.problem(error, instance: head.target.path), label: label)
        }
    }

    /// Checks the media types of the body and of the response, and that the body is not compressed.
    private func checkTypes(of head: RequestHead, for endpoint: Endpoint) throws(Problem) {
        let types = head.method == .patch ? Endpoint.patchTypes : Endpoint.bodyTypes
        let typeCount = endpoint.body == .none ? 0 : head.headers.count(of: "Content-Type")
        guard typeCount <= 1 else {
            throw Problem(.malformedHeader, "The request has \(typeCount) Content-Type headers. It can have one.")
        }
        if typeCount == 1, !head.hasBody(of: types) {
            let sent = (head.headers["Content-Type"] ?? "").prefix(Self.longestQuotation)
            let detail = "The body must be \(types.joined(separator: " or ")), and the Content-Type is \(sent)."
            var problem = Problem(.unsupportedMediaType, detail)
            let field: HeaderName = head.method == .patch ? "Accept-Patch" : "Accept-Post"
            problem.headers.set(field, types.joined(separator: ", "))
            throw problem
        }
        if endpoint.body != .none, head.hasEncodedBody {
            var problem = Problem(.unsupportedMediaType, "The body must be sent without a Content-Encoding.")
            problem.headers.set("Accept-Encoding", "identity")
            throw problem
        }
        try head.checkAccept(endpoint.produces)
    }

    /// The maximum number of characters of a header in the detail of a problem.
    private static let longestQuotation = 64
}
