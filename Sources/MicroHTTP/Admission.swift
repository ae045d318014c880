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
