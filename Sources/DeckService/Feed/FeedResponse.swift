import DeckJournal
import DeckWire
import Locking
import MicroHTTP

/// A page of the feed as a response. It is read and sent some rows at a time, so it costs the memory of those.
struct FeedResponse: Sendable {
    /// What is asked of the feed.
    struct Query: Sendable {
        var view: FeedView
        var filter: FeedFilter
        var after: FeedCursor
        var limit: Int
        /// Whether each row is a line. Otherwise the page is one object.
        var asLines: Bool
        /// What the client preferred and got.
        var appliedPreference: String?
    }

    /// How many rows are read and sent at a time. With the longest ids these are 150 kB.
    static let rowsInPart = 256
    static let lines = "application/x-ndjson"

    private let query: Query
    private let first: FeedPage
    private let end: FeedCursor

    /// Reads the first rows, and finds where the page ends, because the link to the next one comes before all rows.
    static func begin(
        _ query: Query,
        from reader: FeedReader,
        completion: @escaping @Sendable (Result<FeedResponse, JournalError>) -> Void
    ) {
        let count = min(rowsInPart, query.limit)
        reader.readRows(query.filter, after: query.after, limit: count) { result in
            guard case .success(let first) = result, first.rows.count < query.limit, !first.reachesEnd(limit: count)
            else {
                return completion(result.map { FeedResponse(query: query, first: $0, end: $0.end) })
            }
            reader.findEnd(query.filter, after: first.end, limit: query.limit - first.rows.count) { end in
                completion(end.map { FeedResponse(query: query, first: first, end: $0) })
            }
        }
    }

    var isEmpty: Bool { first.rows.isEmpty }

    /// Whether the client has read rows that the journal does not have any more, because older data was restored.
    var isPastTheFeed: Bool { query.after.isAhead(of: first.newest) }

    /// Why the page cannot be sent; nil: it can.
    var problem: Problem? {
        guard isPastTheFeed else { return nil }
        var problem = Problem(.cursorAhead, "The newest row of the feed has the cursor \(first.newest).")
        problem.cursor = first.newest.description
        return problem
    }

    /// Answers with the page.
    func send(_ call: Call, from reader: FeedReader) {
        let place = Lock((after: query.after, sent: 0))
        call.sendParts(headers) { body in
            let (after, sent) = place.withLock { $0 }
            let limit = min(Self.rowsInPart, query.limit - sent)
            read(after: after, limit: limit, from: reader) { result in
                switch result {
                case .failure(let error): body(.failure(Problem(error)))
                case .success(let page):
                    let count = sent + page.rows.count
                    place.withLock { $0 = (page.end, count) }
                    // With several databases, parts can end elsewhere than the whole page, after the same rows.
                    let isLast = page.end == end || count == query.limit || page.reachesEnd(limit: limit)
                    let bytes = self.bytes(page.rows, isFirst: after == query.after, isLast: isLast)
                    body(isLast ? .last(bytes) : .bytes(bytes))
                }
            }
        }
    }

    private func read(
        after cursor: FeedCursor,
        limit: Int,
        from reader: FeedReader,
        completion: @escaping JournalCompletion<FeedPage>
    ) {
        guard cursor != query.after else { return completion(.success(first)) }
        // Rows that are saved from now on are on the next page.
        reader.readRows(query.filter, after: cursor, upTo: end, limit: limit, completion: completion)
    }

    /// Some rows, and what stands around them.
    private func bytes(_ rows: [FeedRow], isFirst: Bool, isLast: Bool) -> [UInt8] {
        var writer = JSONWriter(capacity: 256 * (rows.count + 1))
        if isFirst, !query.asLines { writer.separator(query.view.pageStart) }
        for (number, row) in rows.enumerated() {
            if !query.asLines, !isFirst || number > 0 { writer.separator(",") }
            writer.row(row)
            if query.asLines { writer.separator("\n") }
        }
        if isLast, !query.asLines {
            writer.separator("],\"cursor\":")
            writer.string(end.description)
            writer.separator("}")
        }
        return writer.bytes
    }

    private var headers: HeaderFields {
        let filter = query.filter.parameters(in: query.view)
        let next = "\(query.view.path)?after=\(end)&limit=\(query.limit)\(filter)"
        var headers = HeaderFields.notStored(type: query.asLines ? Self.lines : "application/json")
        headers.add("Link", "<\(next)>; rel=\"next\"")
        headers.add("Vary", "Accept")
        if let applied = query.appliedPreference { headers.set("Preference-Applied", applied) }
        return headers
    }
}

extension FeedPage {
    /// Whether there are no more rows up to the end that was asked for.
    ///
    /// - Parameter limit: how many rows were asked for.
    fileprivate func reachesEnd(limit: Int) -> Bool { rows.count < limit && !isPartial }
}
