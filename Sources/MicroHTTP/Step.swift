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
