/// Work that is requested at any time, and of which one run takes place at a time. Requests during a run lead to one more run.
struct RepeatedWork: Sendable {
    private enum Stage {
        case idle
        case running
        /// The work was requested since the run began.
        case runningAgain
    }

    private var stage: Stage

    /// - Parameter isRunning: whether the first run starts at once.
    init(isRunning: Bool = false) {
        stage = isRunning ? .running : .idle
    }

    /// Requests a run. Returns whether the caller must start it.
    @discardableResult
    mutating func request() -> Bool {
        defer { stage = stage == .idle ? .running : .runningAgain }
        return stage == .idle
    }

    /// Ends a run. Returns whether the caller must start another.
    mutating func finish() -> Bool {
        defer { stage = stage == .runningAgain ? .running : .idle }
        return stage == .runningAgain
    }
}
