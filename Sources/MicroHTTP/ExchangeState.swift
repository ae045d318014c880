/// Where a request stands between the application and its worker.
///
///     handling ──> waiting ──> answered ──> over
///         └────────────────────────┘
///     and from every state ──> over, when the connection ends.
///
/// The transitions return what the caller is to do; nothing is done here.
enum ExchangeState: Sendable {
    /// `respond` has not returned yet and nothing was sent.
    case handling
    /// `respond` returned without an answer, and the connection is suspended.
    case waiting
    /// The application has answered, and the worker has not queued the response yet.
    case answered(Response)
    /// The response was queued, or the client is gone.
    case over

    enum AnswerAction: Equatable {
        /// Tell the worker to resume the connection.
        case resume
        /// The worker will look by itself when `respond` returns.
        case leave
        /// It was answered before, or the client is gone.
        case ignore
    }

    enum ReturnAction: Equatable {
        case queue(Response)
        case suspend
        case drop
    }

    /// The application answers, from any thread.
    mutating func answer(_ response: Response) -> AnswerAction {
        switch self {
        case .handling:
            self = .answered(response)
            return .leave
        case .waiting:
            self = .answered(response)
            return .resume
        case .answered, .over:
            return .ignore
        }
    }

    /// `respond` has returned, or the connection was resumed: the worker asks what to do with it.
    mutating func settle() -> ReturnAction {
        switch self {
        case .handling, .waiting:
            self = .waiting
            return .suspend
        case .answered(let response):
            self = .over
            return .queue(response)
        case .over:
            return .drop
        }
    }

    /// The connection has ended or the response has been sent.
    mutating func end() {
        switch self {
        case .handling, .waiting, .answered, .over: self = .over
        }
    }

    /// Whether an answer would still be taken.
    var isOpen: Bool {
        switch self {
        case .handling, .waiting: true
        case .answered, .over: false
        }
    }
}
