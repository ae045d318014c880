internal import Locking

/// The results of the same call in several databases, in the order of the databases.
final class Gathering<Value: Sendable>: Sendable {
    private struct State {
        var results: [Result<Value, JournalError>?]
        var missingCount: Int
    }

    private let state: Lock<State>
    private let completion: @Sendable ([Result<Value, JournalError>]) -> Void

    /// - Parameters:
    ///   - count: how many results there will be; at least one.
    ///   - completion: gets the results when all have come.
    init(_ count: Int, _ completion: @escaping @Sendable ([Result<Value, JournalError>]) -> Void) {
        state = Lock(State(results: Array(repeating: nil, count: count), missingCount: count))
        self.completion = completion
    }

    /// The completion of one of the calls.
    func result(_ index: Int) -> JournalCompletion<Value> {
        { [self] result in
            let all = state.withLock { state -> [Result<Value, JournalError>]? in
                state.results[index] = result
                state.missingCount -= 1
                return state.missingCount == 0 ? state.results.compactMap(\.self) : nil
            }
            if let all { completion(all) }
        }
    }
}

extension Array {
    /// All values, or the error of the first that failed.
    func all<Value>() -> Result<[Value], JournalError> where Element == Result<Value, JournalError> {
        Result { () throws(JournalError) in
            var values: [Value] = []
            for result in self { values.append(try result.get()) }
            return values
        }
    }
}
