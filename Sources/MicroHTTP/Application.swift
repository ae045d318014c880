/// What answers requests. All calls come on a worker's thread, for several requests at once, and must not block:
/// a worker serves its other connections only between them.
public protocol Application: Sendable {
    /// A request has come whose method and headers can be understood. ``ended(_:)`` follows.
    func began(_ id: RequestID)

    /// Decides from the head alone whether the request is accepted: routing, methods, media types and access.
    ///
    /// If it is accepted, the decision also holds for later requests with the same head from the same address, without
    /// another call. So ``respond(to:over:)`` must check everything that can change, such as keys that expire.
    func admit(_ head: RequestHead) -> Admission

    /// Answers a request. This is the first step.
    ///
    /// If a step returns ``Step/wait``, there must be one ``Exchange/send(_:)`` or one
    /// ``Exchange/stream(status:headers:heartbeat:closing:onEnd:)``: before the step returns, or later from any thread.
    func respond(to request: Request, over exchange: Exchange) -> Step

    /// The response for what the transport refuses; `head` is nil when the head itself could not be understood. After
    /// ``Refusal/malformedTarget(detail:)``, its target has no segments and no query.
    func response(to refusal: Refusal, head: RequestHead?) -> Response

    /// Adds headers to an answer that is about to be sent. Refusals of the transport are answers, too.
    ///
    /// - Parameter head: nil when it could not be understood.
    func addHeaders(to headers: inout HeaderFields, of id: RequestID, head: RequestHead?)

    /// Called once for each request, when it is over.
    func ended(_ report: RequestReport)

    /// Reports how many nanoseconds one turn of a worker's event loop took, without the time in which it slept.
    ///
    /// - Parameter worker: the worker's number.
    func turned(inNanoseconds nanoseconds: Int, worker: Int)

    /// Called when a connection was accepted.
    func connected()

    /// Called when a connection is closed.
    func disconnected()
}

extension Application {
    /// Does nothing.
    public func began(_ id: RequestID) {}

    /// Adds nothing.
    public func addHeaders(to headers: inout HeaderFields, of id: RequestID, head: RequestHead?) {}

    /// Does nothing.
    public func ended(_ report: RequestReport) {}

    /// Does nothing.
    public func turned(inNanoseconds nanoseconds: Int, worker: Int) {}

    /// Does nothing.
    public func connected() {}

    /// Does nothing.
    public func disconnected() {}
}
