import DeckJournal
import JournalTesting
import Testing

/// What a journal must hold: sessions that were begun at version 1 and committed to version by version, each commit with
/// one verdict of its version's number.
struct Model {
    /// The version of each session.
    var versions: [String: Int] = [:]

    func record(of session: String) -> (record: SessionRecord, expected: Int) {
        let version = versions[session] ?? 0
        return (.sample(session, version + 1, verdicts: [.given(version + 1)]), version)
    }

    mutating func commit(to session: String) {
        versions[session, default: 0] += 1
    }

    /// Compares the journal with the model: everything is there once, and nothing else.
    func check(_ journal: any Journal, _ comment: Comment) async throws {
        for (session, version) in versions {
            let stored = try await value { journal.loadSession(session, completion: $0) }.session
            #expect(stored?.version == version, comment)
            #expect(stored?.snapshot == bytes("\(session) at \(version)"), comment)
            let standing = try await value {
                journal.standingVerdicts(of: session, after: 0, limit: .max, completion: $0)
            }
            #expect(standing == (0..<version - 1).map { .given($0 + 2) }, comment)
        }
        let feed = try await value { journal.verdicts(after: .start, deck: nil, limit: .max, completion: $0) }
        #expect(feed.entries.count == versions.values.reduce(0) { $0 + $1 - 1 }, comment)
        #expect(try await value { journal.counts(completion: $0) }.sessions == versions.count, comment)
    }
}
