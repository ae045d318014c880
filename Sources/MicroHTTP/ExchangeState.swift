/// Where a request stands between the application and its worker.
///
///     handling <─> waiting ──> answered ──> over
///         └────────────────────────┘
///     and from every state ──> over, when the connection ends.
///
/// The transitions return what the caller is to do; nothing is done here.
enum ExchangeState: Sendable {
    /// The worker runs the steps or an action of the application, and nothing was sent.
    case handling
    /// Those have returned without an answer, and the connection is suspended.
    case waiting
    /// The application has answered, and the worker has not queued the response yet.
    case answered(Answer)
    /// The response was queued, or the client is gone.
    case over

    enum AnswerAction: Equatable {
        /// The worker must resume the connection.
        case resume
        /// The worker will look by itself when the step or the action returns.
        case leave
        /// It was answered before, or the client is gone.
        case ignore
    }

    enum ReturnAction: Equatable {
        case queue(Answer)
        case suspend
        case drop
    }

    /// The application answers, from any thread.
    mutating func answer(_ answer: Answer) -> AnswerAction {
        switch self {
        case .handling:
            self = .answered(answer)
            return .leave
        case .waiting:
            self = .answered(answer)
            return .resume
        case .answered, .over:
            return .ignore
        }
    }

    /// A step has returned the response. Returns whether there was no other answer before.
    mutating func close() -> Bool {
        guard case .handling = self else { return false }
        self = .over
        return true
    }

    /// The last step has returned no response, or the connection was resumed: the worker asks what to do with it.
    mutating func settle() -> ReturnAction {
        switch self {
        case .handling, .waiting:
            self = .waiting
            return .suspend
        case .answered(let answer):
            self = .over
            return .queue(answer)
        case .over:
            return .drop
        }
    }

    /// The worker is about to run an action of the application. Returns whether the request still waits.
    mutating func enter() -> Bool {
        guard case .waiting = self else { return false }
        self = .handling
        return true
    }

    /// An action of the application has returned. Returns whether there is an answer, so that the connection is resumed.
    mutating func leave() -> Bool {
        switch self {
        case .handling:
            self = .waiting
            return false
        case .answered: return true
        case .waiting, .over: return false
        }
    }

    /// The connection has ended or the response has been sent; returns the answer that never got to it, if any.
    mutating func end() -> Answer? {
        defer { self = .over }
        switch self {
        case .handling, .waiting, .over: return nil
        case .answered(let answer): return answer
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
