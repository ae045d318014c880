import MicroHTTP

/// What the head of a request says about the call, worked out once. Later requests with the same head share it.
final class CallPlan: RequestPlan {
    let endpoint: Endpoint
    /// The varying parts of the path, in order.
    let parameters: [String]
    /// The credentials; nil: there are none, or the endpoint needs none.
    let claim: Claim?
    /// See ``RequestHead/asksForLatest``.
    let asksForLatest: Bool
    /// Answers a call that is allowed.
    let answer: Endpoint.Answer

    init(_ head: RequestHead, _ route: Route, _ endpoint: Endpoint, _ claim: Claim?) {
        self.endpoint = endpoint
        self.claim = claim
        parameters = route.pattern.parameters(of: head.target.segments)
        asksForLatest = head.asksForLatest
        answer = endpoint.prepare(head)
    }
}
