package import DeckJournal

/// Waits for a completion. A second call of it would trap.
package func result<Value: Sendable>(
    _ ask: (@escaping JournalCompletion<Value>) -> Void
) async -> Result<Value, JournalError> {
    await withCheckedContinuation { continuation in
        ask { continuation.resume(returning: $0) }
    }
}

/// Waits for a completion with success.
package func value<Value: Sendable>(_ ask: (@escaping JournalCompletion<Value>) -> Void) async throws -> Value {
    try await result(ask).get()
}

/// Waits for a completion with an error; nil: it was a success.
package func failure<Value: Sendable>(_ ask: (@escaping JournalCompletion<Value>) -> Void) async -> JournalError? {
    switch await result(ask) {
    case .success: nil
    case .failure(let error): error
    }
}

extension JournalError {
    package var isUnavailable: Bool {
        if case .unavailable = self { true } else { false }
    }

    package var isUnknown: Bool {
        if case .unknown = self { true } else { false }
    }

    package var isConflict: Bool {
        if case .conflict = self { true } else { false }
    }
}
