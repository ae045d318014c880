import DeckJournal

/// A change that waits for its transaction.
struct WriteJob: Sendable {
    /// Makes the change, and returns the call of its completion for when the transaction is committed.
    ///
    /// It may be called again after its transaction was rolled back.
    let perform: @Sendable (inout WriteTransaction) throws -> @Sendable () -> Void
    /// Calls the completion with an error.
    let fail: @Sendable (JournalError) -> Void

    /// - Parameter body: makes the change. It throws a `JournalError` only before it has changed anything.
    init<Value: Sendable>(
        _ completion: @escaping JournalCompletion<Value>,
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Value
    ) {
        perform = { transaction in
            let result: Result<Value, JournalError>
            do {
                result = .success(try body(&transaction))
            } catch let refusal as JournalError where !refusal.tellsOfDamage {
                result = .failure(refusal)
            }
            return { completion(result) }
        }
        fail = { completion(.failure($0)) }
    }
}

extension JournalError {
    var tellsOfDamage: Bool {
        if case .damaged = self { true } else { false }
    }
}
