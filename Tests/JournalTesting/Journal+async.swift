package import DeckJournal

/// Calls that wait for their completion.
extension Journal {
    /// Creates a session.
    @discardableResult
    package func created(_ session: NewSession) async throws -> Revision {
        try await value { create(session, completion: $0) }
    }

    /// Reserves room and appends an entry.
    package func tryAppend(
        _ entry: Entry,
        to id: String,
        after revision: Revision
    ) async -> Result<Revision, JournalError> {
        let reservation: Reservation
        do throws(JournalError) {
            reservation = try reserve(bytes: entry.byteCount, for: id)
        } catch {
            return .failure(error)
        }
        return await result { append(entry, to: id, after: revision, using: reservation, completion: $0) }
    }

    /// Appends an entry with success.
    @discardableResult
    package func appended(_ entry: Entry, to id: String, after revision: Revision) async throws -> Revision {
        try await tryAppend(entry, to: id, after: revision).get()
    }

    /// Appends an entry at the head of a session.
    @discardableResult
    package func appended(_ entry: Entry, to id: String) async throws -> Revision {
        let finding = try await found(id)
        guard let head = finding.session?.revision else { throw JournalError.conflict(current: nil) }
        return try await appended(entry, to: id, after: head)
    }

    /// The error of an append; nil if it succeeded.
    package func appendError(_ entry: Entry, to id: String, after revision: Revision) async -> JournalError? {
        await tryAppend(entry, to: id, after: revision).error
    }

    package func found(_ id: String) async throws -> SessionFinding {
        try await value { load(id, completion: $0) }
    }

    package func stored(_ id: String) async throws -> StoredSession? {
        try await found(id).session
    }

    package func wholeFeed() async throws -> FeedPage {
        try await value { feed(after: .start, filter: .all, limit: .max, completion: $0) }
    }

    package func wholeLog(of id: String) async throws -> LogPage {
        try await value { log(of: id, from: 0, limit: .max, completion: $0) }
    }

    package func standing(in id: String) async throws -> [FeedRecord] {
        var found: [FeedRecord] = []
        var next: Int? = 0
        while let number = next {
            let page = try await value { standingVerdicts(of: id, after: number, limit: .max, completion: $0) }
            found += page.verdicts
            next = page.next
        }
        return found
    }

    package func answer(_ key: String, of id: String) async throws -> AnswerRecord? {
        try await value { answer(of: id, key: key, completion: $0) }
    }

    package func totals() async throws -> JournalCounts {
        try await value { counts(completion: $0) }
    }

    package func ended(_ id: String) async throws -> SessionEnding {
        try await value { end(id, at: nil, completion: $0) }
    }

    package func closed() async throws {
        try await value { close(completion: $0) }
    }
}

extension Result {
    /// The error; nil if there is none.
    package var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
