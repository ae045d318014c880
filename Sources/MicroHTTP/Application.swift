/// What an application decides from a request's head.
public enum Admission: Sendable {
    /// Read the body, up to this number of bytes, and then call ``Application/respond(to:over:)``.
    ///
    /// A longer body is answered with ``Refusal/bodyTooLarge(limitBytes:)``. A negative limit counts as zero.
    /// The label means something to the application only, see ``RequestReport/admissionLabel``. The plan comes with the request.
    case accept(bodyLimitBytes: Int, label: Int = 0, plan: (any RequestPlan)? = nil)
    /// Answer with this once the body has been read and dropped.
    case refuse(Response, label: Int = 0)
}

/// What an application has worked out from the head of a request. Requests with the same head can share it.
public protocol RequestPlan: AnyObject, Sendable {}

/// What follows a step of an application in answering a request.
public enum Step: Sendable {
    /// The request is answered with this response.
    case respond(Response)
    /// The request is answered over its exchange: it was before this step returned, or is later.
    case wait
    /// Another step. A busy worker does the same step of several requests in a row, because the code of one step fits into the
    /// processor's caches, and that of all steps does not.
    case next(@Sendable () -> Step)
}

/// A request that the transport refuses by itself.
public enum Refusal: Sendable, Equatable {
    /// The request target cannot be decoded (400).
    case malformedTarget(detail: String)
    /// The head is malformed or ambiguous, for example because two fields contradict each other about the length of the
    /// body (400). The connection is closed after the response.
    case malformedHead(detail: String)
    /// The head leaves no memory of the connection for a response (431). The connection is closed after the response.
    case headTooLong
    /// The body is longer than it was admitted with (413).
    case bodyTooLarge(limitBytes: Int)
    /// The request was answered, but too many bytes of responses wait to be sent (503). The answer had this status.
    case overloaded(status: Int)
    /// The client has as many requests through proxies as one address may have connections (503).
    case tooManyRequests
    /// The server stopped while the request was waiting for its answer (503).
    case stopping
    /// The application's response could not be sent, for instance because of a line break in a header (500).
    case failed
}

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
    func complete(_ headers: inout HeaderFields, of id: RequestID, head: RequestHead?)

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
    public func complete(_ headers: inout HeaderFields, of id: RequestID, head: RequestHead?) {}

    /// Does nothing.
    public func ended(_ report: RequestReport) {}

    /// Does nothing.
    public func turned(inNanoseconds nanoseconds: Int, worker: Int) {}

    /// Does nothing.
    public func connected() {}

    /// Does nothing.
    public func disconnected() {}
}
