import DeckJournal

/// Reads the feed for requests, however long the wanted rows must be searched for.
struct FeedReader: Sendable {
    private let journal: any Journal
    private let turns = FeedTurns()

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
        turns.take { [self] leave in
            journal.feed(after: page.end, upTo: end, filter: filter, limit: limit) { result in
                leave()
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
        turns.take { [self] leave in
            journal.feedEnd(after: end.end, filter: filter, limit: limit) { result in
                leave()
                searchEnd(result, filter, limit: limit, completion)
            }
        }
    }
}
