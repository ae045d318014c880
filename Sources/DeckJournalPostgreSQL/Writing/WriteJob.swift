import DeckJournal

/// A change that waits for its transaction.
struct WriteJob: Sendable {
    let needs: [Need]
    /// Whether it is a trial, which must not be in a transaction with changes: they may succeed although it fails.
    let isTrial: Bool
    /// Makes the change, and returns the call of its completion for when the transaction is committed. It may be called
    /// again after its transaction was rolled back.
    let perform: @Sendable (inout Changes) -> @Sendable () -> Void
    /// Calls the completion with an error.
    let fail: @Sendable (JournalError) -> Void

    /// - Parameter body: makes the change. It throws only before it has changed anything.
    init<Value: Sendable>(
        needs: [Need],
        isTrial: Bool,
        _ completion: @escaping JournalCompletion<Value>,
        _ body: @escaping @Sendable (inout Changes) throws(JournalError) -> Value
    ) {
        self.needs = needs
        self.isTrial = isTrial
        perform = { changes in
            let result: Result<Value, JournalError>
            do throws(JournalError) {
                result = .success(try body(&changes))
            } catch {
                result = .failure(error)
            }
            return { completion(result) }
        }
        fail = { completion(.failure($0)) }
    }
}
