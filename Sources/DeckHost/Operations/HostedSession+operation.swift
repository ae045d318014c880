internal import DeckEngine
internal import DeckJournal

extension HostedSession {
    /// Applies an operation, and commits it if it must be durable.
    ///
    /// - Parameters:
    ///   - answer: makes the bytes that are saved under the operation's key; it runs under the session's lock.
    ///   - completion: gets the outcome when everything that it shows is committed, on any thread and possibly before this
    ///     returns.
    func apply(
        _ operation: Operation,
        savingAnswer answer: @escaping @Sendable (OperationOutcome) -> [UInt8],
        _ completion: @escaping @Sendable (Result<OperationResult, HostError>) -> Void
    ) {
        change(refused: { completion(.failure($0)) }) { inside throws(HostError) in
            try operation.condition.check(inside.state.session, of: self)
            guard !operation.isRehearsal else {
                var rehearsal = inside.state
                let applied = try rehearsal.apply(operation.action, by: clock)
                return Change { state in completion(state.map { _ in .applied(applied.outcome, answer: nil) }) }
            }
            let applied = try inside.state.apply(operation.action, by: clock)
            let saved = operation.key.map { _ in answer(applied.outcome) }
            var change = Change(isSeen: true) { state in
                completion(state.map { _ in .applied(applied.outcome, answer: saved) })
            }
            if applied.mustLast || saved != nil || inside.state.log?.isDueToBeKept == true {
                change.record = record(
                    &inside.state,
                    verdicts: applied.verdictChanges,
                    answer: operation.key.flatMap { key in saved.map { AnswerRecord($0, for: key, at: .now()) } }
                )
            }
            return change
        }
    }
}
