import DeckJournal

/// How many lines of a log are read at a time, so that others need not wait until a long one is read.
private let linesAtATime = 1000

extension Journal {
    /// Reads lines of a session's log that are known to be there, in order.
    ///
    /// - Parameter body: is told a problem if the session has ended meanwhile; it may run before this returns.
    func lines(
        of session: String,
        _ range: Range<Int>,
        after former: [[UInt8]] = [],
        _ body: @escaping @Sendable (Result<[[UInt8]], Problem>) -> Void
    ) {
        guard !range.isEmpty else { return body(.success(former)) }
        let count = min(range.count, linesAtATime)
        log(of: session, from: range.lowerBound, limit: count) { result in
            switch result {
            case .failure(let error): body(.failure(Problem(error)))
            case .success(let lines) where lines.count < count:
                body(.failure(Problem(.sessionEnded, "The session has ended.")))
            case .success(let lines):
                self.lines(of: session, range.dropFirst(count), after: former + lines, body)
            }
        }
    }
}
