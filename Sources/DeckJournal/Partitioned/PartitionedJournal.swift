internal import Locking

/// Several databases as one journal. Each session is in the database that ``Placement`` says, with its verdicts, its log and
/// its answers; a fork is in that of its origin. The decks are in the first database.
///
/// The number and the order of the databases belong to the data. Changes of one session are as reliable as in its
/// database. The limits on all sessions and on those of an owner are compared with counts of the other databases, which
/// change meanwhile, so sessions that are created at the same moment can exceed them.
public final class PartitionedJournal: Journal {
    let databases: [any Journal]

    /// Creates a journal of databases.
    ///
    /// - Parameter databases: at least one.
    public init(_ databases: [any Journal]) {
        precondition(!databases.isEmpty, "a journal needs a database")
        self.databases = databases
    }

    /// How many databases there are.
    public var databaseCount: Int { databases.count }

    /// The number of a session's database.
    public func database(of id: String) -> Int {
        Placement.database(of: id, among: databases.count)
    }

    /// The generation of a database.
    public func generation(of database: Int) -> Int {
        databases[database].generation(of: 0)
    }

    /// The database of a session.
    func home(of id: String) -> any Journal {
        databases[database(of: id)]
    }

    /// Makes a call in all databases. Fails with the error of one of them if any call fails.
    func inAll<Value: Sendable>(
        _ completion: @escaping JournalCompletion<[Value]>,
        _ call: (any Journal, Int, @escaping JournalCompletion<Value>) -> Void
    ) {
        let gathering = Gathering<Value>(databases.count) { completion($0.all()) }
        for (number, database) in databases.enumerated() { call(database, number, gathering.result(number)) }
    }

    /// Counts decks and sessions.
    public func counts(completion: @escaping JournalCompletion<JournalCounts>) {
        inAll({ counts in
            completion(
                counts.map { counts in
                    JournalCounts(
                        decks: counts[0].decks,
                        sessions: counts.reduce(0) { $0 + $1.sessions },
                        hasHadDecks: counts[0].hasHadDecks
                    )
                }
            )
        }) { database, _, done in database.counts(completion: done) }
    }

    /// Succeeds as soon as changes can be saved in one database, because the sessions in it can continue.
    public func check(completion: @escaping JournalCompletion<Void>) {
        let remaining = Lock<Int?>(databases.count)
        for database in databases {
            database.check { result in
                let isDecided = remaining.withLock { remaining in
                    guard let count = remaining else { return false }
                    let isDecided = count == 1 || result.isSuccess
                    remaining = isDecided ? nil : count - 1
                    return isDecided
                }
                if isDecided { completion(result) }
            }
        }
    }

    /// The measurements of all databases.
    public var statistics: JournalStatistics {
        databases.reduce(into: JournalStatistics()) { $0.add($1.statistics) }
    }

    /// Adds an observer of all databases.
    public func onWrite(_ observer: @escaping @Sendable (JournalWrite) -> Void) {
        for database in databases { database.onWrite(observer) }
    }

    /// Closes all databases.
    public func close(completion: @escaping JournalCompletion<Void>) {
        inAll({ completion($0.map { _ in }) }) { database, _, done in database.close(completion: done) }
    }
}

// MARK: Decks

extension PartitionedJournal {
    /// Puts a deck into the first database.
    public func putDeck(
        _ id: String,
        _ document: [UInt8],
        if condition: DeckCondition,
        atMost maximumCount: Int,
        once key: DeckKey?,
        completion: @escaping JournalCompletion<DeckPutResult>
    ) {
        databases[0].putDeck(id, document, if: condition, atMost: maximumCount, once: key, completion: completion)
    }

    /// Finds the result of the request with a key in the first database.
    public func deckPutResult(of key: DeckKey, completion: @escaping JournalCompletion<DeckPutResult?>) {
        databases[0].deckPutResult(of: key, completion: completion)
    }

    /// Removes a deck from the first database.
    public func removeDeck(
        _ id: String,
        if condition: DeckCondition,
        completion: @escaping JournalCompletion<Bool>
    ) {
        databases[0].removeDeck(id, if: condition, completion: completion)
    }

    /// Finds a deck in the first database.
    public func deck(_ id: String, completion: @escaping JournalCompletion<StoredDeck?>) {
        databases[0].deck(id, completion: completion)
    }

    /// Finds the revision of a deck in the first database.
    public func deckRevision(_ id: String, completion: @escaping JournalCompletion<Int?>) {
        databases[0].deckRevision(id, completion: completion)
    }

    /// Lists the decks of the first database.
    public func decks(after id: String, limit: Int, completion: @escaping JournalCompletion<DeckPage>) {
        databases[0].decks(after: id, limit: limit, completion: completion)
    }
}

extension Result {
    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
