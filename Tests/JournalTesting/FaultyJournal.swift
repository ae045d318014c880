package import DeckJournal
internal import Locking

/// A journal over another one in which chosen calls fail.
package final class FaultyJournal: Journal {
    /// A method that can fail.
    package enum Method: CaseIterable, Sendable {
        case create, load, heads, append, reserve, end, touch, feed, feedEnd, log, sessions, sessionCount
        case standingVerdicts, answer
        case putDeck, deckPutResult, removeDeck, deck, deckRevision, decks, counts, check

        /// Whether the method changes the journal.
        var isChange: Bool {
            switch self {
            case .create, .append, .end, .touch, .putDeck, .removeDeck: true
            default: false
            }
        }

        /// The failures that make a difference to the method.
        package var failures: [Failure] {
            switch self {
            case .append: [.unavailable, .unknown, .unknownAfterSuccess, .conflictAfterSuccess]
            case .reserve: [.unavailable]
            default: isChange ? [.unavailable, .unknown, .unknownAfterSuccess] : [.unavailable, .unknown]
            }
        }
    }

    /// What a call does that fails.
    package enum Failure: Sendable {
        /// Nothing; it fails with `unavailable`.
        case unavailable
        /// Nothing, and it fails with `unknown`.
        case unknown
        /// A change succeeds and fails with `unknown`; a read succeeds.
        case unknownAfterSuccess
        /// An append succeeds and fails with `conflict`; any other call succeeds.
        case conflictAfterSuccess
    }

    /// Which calls fail.
    package struct Fault: Sendable {
        package var methods: Set<Method>
        package var failure: Failure
        /// How many calls of these methods succeed before the first that fails.
        package var successes: Int
        /// Whether all calls after it fail too.
        package var lasts: Bool
        /// How the calls after the first one fail; nil: in the same way.
        package var later: Failure?
        /// How long a call takes that fails without doing anything.
        package var delay: Duration

        package init(
            _ failure: Failure = .unavailable,
            of methods: some Sequence<Method> = Method.allCases,
            after successes: Int = 0,
            lasts: Bool = false,
            later: Failure? = nil,
            delay: Duration = .zero
        ) {
            self.delay = delay
            self.later = later
            self.methods = Set(methods)
            self.failure = failure
            self.successes = successes
            self.lasts = lasts
        }
    }

    private struct State {
        var fault: Fault?
        /// The calls of the methods that fail.
        var calls = 0
        var failures = 0
        /// The calls of each method.
        var callsByMethod: [Method: Int] = [:]
    }

    package let base: any Journal
    private let state = Lock(State())

    package init(_ base: any Journal) {
        self.base = base
    }

    /// From now on the fault is on; it counts the calls anew.
    package func arm(_ fault: Fault) {
        state.withLock { $0 = State(fault: fault) }
    }

    /// How often each method was called since ``arm(_:)`` or ``disarm()``.
    package var calls: [Method: Int] { state.withLock { $0.callsByMethod } }

    /// No call fails any more, and calls are counted anew. Returns how many failed.
    @discardableResult
    package func disarm() -> Int {
        state.withLock { state in
            defer { state = State() }
            return state.failures
        }
    }

    /// Counts a call, and returns how it fails; nil: it does not.
    private func failure(of method: Method) -> Failure? {
        state.withLock { state in
            state.callsByMethod[method, default: 0] += 1
            guard let fault = state.fault, fault.methods.contains(method) else { return nil }
            defer { state.calls += 1 }
            guard fault.lasts ? state.calls >= fault.successes : state.calls == fault.successes else { return nil }
            state.failures += 1
            return state.failures > 1 ? fault.later ?? fault.failure : fault.failure
        }
    }

    /// Fails a call, after the delay of the fault.
    private func refuse<Value: Sendable>(_ error: JournalError, _ completion: @escaping JournalCompletion<Value>) {
        let delay = state.withLock { $0.fault?.delay ?? .zero }
        guard delay > .zero else { return completion(.failure(error)) }
        Task {
            try? await Task.sleep(for: delay)
            completion(.failure(error))
        }
    }

    /// Makes a call or fails it.
    private func call<Value: Sendable>(
        _ method: Method,
        _ completion: @escaping JournalCompletion<Value>,
        _ body: (@escaping JournalCompletion<Value>) -> Void
    ) {
        switch failure(of: method) {
        case .unavailable: refuse(.unavailable("a fault of the test"), completion)
        case .unknown: refuse(.unknown("a fault of the test"), completion)
        case .unknownAfterSuccess where method.isChange:
            body { completion($0.flatMap { _ in .failure(.unknown("a fault of the test")) }) }
        case nil, .unknownAfterSuccess, .conflictAfterSuccess: body(completion)
        }
    }

    package func append(
        _ entry: Entry,
        to id: String,
        after revision: Revision,
        using reservation: Reservation,
        completion: @escaping JournalCompletion<Revision>
    ) {
        let failure = failure(of: .append)
        switch failure {
        case .unavailable: return refuse(.unavailable("a fault of the test"), completion)
        case .unknown: return refuse(.unknown("a fault of the test"), completion)
        case nil, .unknownAfterSuccess, .conflictAfterSuccess: break
        }
        base.append(entry, to: id, after: revision, using: reservation) { result in
            switch (failure, result) {
            case (.unknownAfterSuccess, .success): completion(.failure(.unknown("a fault of the test")))
            case (.conflictAfterSuccess, .success(let head)): completion(.failure(.conflict(current: head)))
            default: completion(result)
            }
        }
    }

    package var databaseCount: Int { base.databaseCount }

    package func database(of id: String) -> Int { base.database(of: id) }

    package func generation(of database: Int) -> Int { base.generation(of: database) }

    package func reserve(bytes: Int, for id: String) throws(JournalError) -> Reservation {
        switch failure(of: .reserve) {
        case .unavailable, .unknown: throw .unavailable("a fault of the test")
        case nil, .unknownAfterSuccess, .conflictAfterSuccess: try base.reserve(bytes: bytes, for: id)
        }
    }

    package var statistics: JournalStatistics { base.statistics }

    package func follow(_ observer: @escaping @Sendable (JournalNews) -> Void) { base.follow(observer) }

    package func newsCoverage(of database: Int) -> NewsCoverage? { base.newsCoverage(of: database) }

    package func requestPreview(of id: String, _ request: UInt64) { base.requestPreview(of: id, request) }

    package func send(_ preview: SessionPreview, of id: String) { base.send(preview, of: id) }

    package func onNewFeedRows(_ observer: @escaping @Sendable () -> Void) { base.onNewFeedRows(observer) }

    package func onWrite(_ observer: @escaping @Sendable (JournalWrite) -> Void) { base.onWrite(observer) }

    package func close(completion: @escaping JournalCompletion<Void>) { base.close(completion: completion) }
}

extension FaultyJournal {
    package func create(_ session: NewSession, completion: @escaping JournalCompletion<Revision>) {
        call(.create, completion) { base.create(session, completion: $0) }
    }

    package func load(_ id: String, completion: @escaping JournalCompletion<SessionFinding>) {
        call(.load, completion) { base.load(id, completion: $0) }
    }

    package func heads(of ids: [String], completion: @escaping JournalCompletion<[String: LedgerHead]>) {
        call(.heads, completion) { base.heads(of: ids, completion: $0) }
    }

    package func end(_ id: String, at revision: Revision?, completion: @escaping JournalCompletion<SessionEnding>) {
        call(.end, completion) { base.end(id, at: revision, completion: $0) }
    }

    package func touch(_ ids: [String], at time: WallTime, completion: @escaping JournalCompletion<Void>) {
        call(.touch, completion) { base.touch(ids, at: time, completion: $0) }
    }

    package func sessionCount(ofOwner owner: String, completion: @escaping JournalCompletion<Int>) {
        call(.sessionCount, completion) { base.sessionCount(ofOwner: owner, completion: $0) }
    }

    package func sessions(
        after cursor: SessionCursor,
        filter: SessionFilter,
        limit: Int,
        completion: @escaping JournalCompletion<SessionPage>
    ) {
        call(.sessions, completion) { base.sessions(after: cursor, filter: filter, limit: limit, completion: $0) }
    }

    package func log(
        of session: String,
        from line: Int,
        limit: Int,
        completion: @escaping JournalCompletion<LogPage>
    ) {
        call(.log, completion) { base.log(of: session, from: line, limit: limit, completion: $0) }
    }

    package func standingVerdicts(
        of session: String,
        after number: Int,
        limit: Int,
        completion: @escaping JournalCompletion<StandingPage>
    ) {
        call(.standingVerdicts, completion) {
            base.standingVerdicts(of: session, after: number, limit: limit, completion: $0)
        }
    }

    package func answer(of session: String, key: String, completion: @escaping JournalCompletion<AnswerRecord?>) {
        call(.answer, completion) { base.answer(of: session, key: key, completion: $0) }
    }

    package func feed(
        after cursor: FeedCursor,
        upTo end: FeedCursor?,
        filter: FeedFilter,
        limit: Int,
        completion: @escaping JournalCompletion<FeedPage>
    ) {
        call(.feed, completion) { base.feed(after: cursor, upTo: end, filter: filter, limit: limit, completion: $0) }
    }

    package func feedEnd(
        after cursor: FeedCursor,
        filter: FeedFilter,
        limit: Int,
        completion: @escaping JournalCompletion<FeedEnd>
    ) {
        call(.feedEnd, completion) { base.feedEnd(after: cursor, filter: filter, limit: limit, completion: $0) }
    }

    package func putDeck(
        _ id: String,
        _ document: [UInt8],
        if condition: DeckCondition,
        atMost maximumCount: Int,
        once key: DeckKey?,
        completion: @escaping JournalCompletion<DeckPutResult>
    ) {
        call(.putDeck, completion) {
            base.putDeck(id, document, if: condition, atMost: maximumCount, once: key, completion: $0)
        }
    }

    package func deckPutResult(of key: DeckKey, completion: @escaping JournalCompletion<DeckPutResult?>) {
        call(.deckPutResult, completion) { base.deckPutResult(of: key, completion: $0) }
    }

    package func removeDeck(
        _ id: String,
        if condition: DeckCondition,
        completion: @escaping JournalCompletion<Bool>
    ) {
        call(.removeDeck, completion) { base.removeDeck(id, if: condition, completion: $0) }
    }

    package func deck(_ id: String, completion: @escaping JournalCompletion<StoredDeck?>) {
        call(.deck, completion) { base.deck(id, completion: $0) }
    }

    package func deckRevision(_ id: String, completion: @escaping JournalCompletion<Int?>) {
        call(.deckRevision, completion) { base.deckRevision(id, completion: $0) }
    }

    package func decks(after id: String, limit: Int, completion: @escaping JournalCompletion<DeckPage>) {
        call(.decks, completion) { base.decks(after: id, limit: limit, completion: $0) }
    }

    package func counts(completion: @escaping JournalCompletion<JournalCounts>) {
        call(.counts, completion) { base.counts(completion: $0) }
    }

    package func check(completion: @escaping JournalCompletion<Void>) {
        call(.check, completion) { base.check(completion: $0) }
    }
}
