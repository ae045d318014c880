import DeckJournal
import JournalTesting
import Testing

/// What a journal must have: sessions that were created at version 1 and changed version by version, each entry with one
/// verdict and one notification of its version's number.
struct Model {
    /// The version and the revision of each session.
    var sessions: [String: (version: Int, revision: Revision)] = [:]

    /// The next entry of a session, and the revision that it follows.
    func next(of session: String) -> (entry: Entry, after: Revision) {
        let (version, revision) = sessions[session] ?? (0, Revision(position: 0))
        return (Self.entry(session, version + 1), revision)
    }

    static func entry(_ session: String, _ version: Int) -> Entry {
        .sample(session, version, feedRecords: [.given(version)], notifications: ["\(version)"])
    }

    mutating func create(_ session: String, in journal: any Journal) async throws {
        sessions[session] = (1, try await journal.created(.sample(session)))
    }

    mutating func follow(_ session: String, _ revision: Revision) {
        sessions[session] = ((sessions[session]?.version ?? 0) + 1, revision)
    }

    /// Compares the journal with the model: everything is there once, and nothing else.
    func check(_ journal: any Journal, _ comment: Comment) async throws {
        for (session, (version, revision)) in sessions {
            let stored = try await journal.stored(session)
            #expect(stored?.version == version, comment)
            #expect(stored?.revision == revision, comment)
            #expect(stored?.state == bytes("\(session) at \(version)"), comment)
            let numbers = Array(2..<version + 1)
            #expect(stored?.notifications == numbers.suffix(64).map { bytes("\($0)") }, comment)
            #expect(try await journal.standing(in: session) == numbers.map { .given($0) }, comment)
        }
        let feed = try await journal.wholeFeed()
        #expect(feed.rows.count == sessions.values.reduce(0) { $0 + $1.version - 1 }, comment)
        #expect(try await journal.totals().sessions == sessions.count, comment)
    }
}
