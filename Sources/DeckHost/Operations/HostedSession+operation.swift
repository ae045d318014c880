internal import DeckEngine
internal import DeckJournal
internal import DeckWire

extension HostedSession {
    /// Applies an operation, and commits it if it must be durable.
    ///
    /// - Parameters:
    ///   - save: makes the bytes that are saved as the outcome under the operation's key; it runs under the session's
    ///     lock.
    ///   - completion: gets the outcome when everything that it shows is committed, on any thread and possibly before this
    ///     returns.
    func apply(
        _ operation: Operation,
        savingOutcome save: @escaping @Sendable (OperationOutcome) -> [UInt8],
        _ completion: @escaping @Sendable (Result<OperationResult, HostError>) -> Void
    ) {
        change(operation.demand, refused: { completion(.failure($0)) }) { [self] inside throws(HostError) in
            if operation.isByPlayer { try inside.state.checkPlayer(operation.action) }
            if operation.condition != .none { try operation.condition.check(inside.shown.session, of: self) }
            guard !operation.isRehearsal else {
                var rehearsal = inside.state
                let applied = try rehearsal.apply(operation.action, by: clock, cardBytesLimit)
                return Change { state in completion(state.map { _ in .applied(applied.outcome) }) }
            }
            let applied = try inside.state.apply(operation.action, by: clock, cardBytesLimit)
            var change = Change(isSeen: true) { state in completion(state.map { _ in .applied(applied.outcome) }) }
            change.mustCommit =
                applied.mustLast || operation.key != nil || inside.state.log?.isDueToBeKept == true
            change.verdicts = applied.verdicts
            if let key = operation.key {
                change.answer = AnswerRecord(save(applied.outcome), for: key, at: .now())
                inside.answeredKeys.add(key.key)
            }
            return change
        }
    }
}

extension Operation {
    /// The resources that the operation can need.
    fileprivate var demand: ChangeDemand {
        var demand = ChangeDemand()
        demand.mayCommit = !isRehearsal
        demand.isLarge = cost > Prices.mostInLoop
        switch action {
        case .patch(let body): demand.bytes += body.count
        case .events(let requests, _):
            demand.eventCount = requests.count
            if key == nil, requests.allSatisfy(\.isDragUnderWay) { demand.mayCommit = false }
        }
        if isRehearsal { demand.eventCount = 0 }
        return demand
    }
}

extension EventRequest {
    /// Whether the event moves a finger, which changes nothing that must last.
    fileprivate var isDragUnderWay: Bool {
        if case .event(.drag(let drag)) = action { drag.phase != .ended } else { false }
    }
}
