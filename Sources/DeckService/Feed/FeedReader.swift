import DeckJournal

/// Reads the feed for requests, however long the wanted rows must be searched for.
struct FeedReader: Sendable {
    private let journal: any Journal
    /// A search for rows that are seldom wanted reads the whole feed, in steps. The steps of all searches follow each other, however
    /// many requests search. So the other threads of the journal are left for sessions, whose reads wait for a step at most.
    private let steps = SerialJobs()
    private static let lane = "feed"

    init(_ journal: any Journal) {
        self.journal = journal
    }

    /// Reads the next rows. A page without any is the last one.
    func readRows(
        _ filter: FeedFilter,
        after cursor: FeedCursor,
        upTo end: FeedCursor? = nil,
        limit: Int,
        completion: @escaping JournalCompletion<FeedPage>
    ) {
        journal.feed(after: cursor, upTo: end, filter: filter, limit: limit) { result in
            searchRows(result, filter, upTo: end, limit: limit, completion)
        }
    }

    /// Continues the search if nothing was found yet.
    private func searchRows(
        _ result: Result<FeedPage, JournalError>,
        _ filter: FeedFilter,
        upTo end: FeedCursor?,
        limit: Int,
        _ completion: @escaping JournalCompletion<FeedPage>
    ) {
        guard case .success(let page) = result, page.rows.isEmpty, page.isPartial else { return completion(result) }
        steps.run(in: Self.lane) { [self] done in
            journal.feed(after: page.end, upTo: end, filter: filter, limit: limit) { result in
                done()
                searchRows(result, filter, upTo: end, limit: limit, completion)
            }
        }
    }

    /// Finds where a page ends.
    func findEnd(
        _ filter: FeedFilter,
        after cursor: FeedCursor,
        limit: Int,
        completion: @escaping JournalCompletion<FeedCursor>
    ) {
        journal.feedEnd(after: cursor, filter: filter, limit: limit) { result in
            searchEnd(result, filter, limit: limit, completion)
        }
    }

    /// Continues the search if the end was not found yet.
    private func searchEnd(
        _ result: Result<FeedEnd, JournalError>,
        _ filter: FeedFilter,
        limit: Int,
        _ completion: @escaping JournalCompletion<FeedCursor>
    ) {
        guard case .success(let end) = result, end.isPartial else { return completion(result.map(\.end)) }
        let limit = limit - end.count
        steps.run(in: Self.lane) { [self] done in
            journal.feedEnd(after: end.end, filter: filter, limit: limit) { result in
                done()
                searchEnd(result, filter, limit: limit, completion)
            }
        }
    }
}
