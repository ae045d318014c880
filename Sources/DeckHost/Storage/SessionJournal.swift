internal import DeckJournal
internal import Locking

/// The host's only access to the journal. It converts the journal's errors to the host's.
struct SessionJournal: Sendable {
    private let journal: any Journal
    /// Whether other processes can change the sessions.
    let isShared: Bool
    /// How long the attempts to make a change may take together.
    let commitTime: Duration

    init(_ journal: any Journal, commitTime: Duration) {
        self.journal = journal
        self.commitTime = commitTime
        isShared = journal.newsCoverage(of: 0) != nil
    }

    /// How many sessions there are.
    var sessionCount: Int { journal.statistics.sessions }

    /// Saves a new session.
    func create(_ session: NewSession, _ completion: @escaping @Sendable (Result<Revision, HostError>) -> Void) {
        journal.create(session) { result in completion(result.mapError { .journal($0) }) }
    }

    /// Loads a session; fails with `ended` or `notFound` if there is none.
    func load(_ id: String, _ completion: @escaping @Sendable (Result<StoredSession, HostError>) -> Void) {
        journal.load(id) { result in
            switch result {
            case .success(.session(let stored)): completion(.success(stored))
            case .success(.ended): completion(.failure(.ended))
            case .success(.unknown): completion(.failure(.notFound))
            case .failure(let error): completion(.failure(.journal(error)))
            }
        }
    }

    /// How far the changes of other processes are known that concern a session; nil: there are no others.
    func newsCoverage(of id: String) -> NewsCoverage? { journal.newsCoverage(of: database(of: id)) }

    /// The number of the database that has a session.
    func database(of id: String) -> Int { journal.database(of: id) }

    /// The generation of the database that has, or would have, a session.
    func generation(for id: String) -> Int { journal.generation(of: database(of: id)) }

    /// Asks other processes for their uncommitted changes of a session.
    func requestPreview(of id: String, _ request: UInt64) { journal.requestPreview(of: id, request) }

    /// Sends uncommitted changes to other processes.
    func send(_ preview: SessionPreview, of id: String) { journal.send(preview, of: id) }

    /// The heads of sessions, without those that do not exist or have ended.
    func heads(of ids: [String], _ completion: @escaping @Sendable (Result<[String: LedgerHead], HostError>) -> Void) {
        journal.heads(of: ids) { result in completion(result.mapError { .journal($0) }) }
    }

    /// Reserves room for an entry of a session. Fails with `unavailable` if the journal has too much to do.
    func reserve(bytes: Int, for id: String) throws(HostError) -> Reservation {
        do throws(JournalError) {
            return try journal.reserve(bytes: bytes, for: id)
        } catch {
            throw .journal(error)
        }
    }

    /// Appends an entry to a session.
    func append(
        _ entry: Entry,
        to id: String,
        after revision: Revision,
        using reservation: Reservation,
        _ completion: @escaping @Sendable (Result<Revision, HostError>) -> Void
    ) {
        journal.append(entry, to: id, after: revision, using: reservation) { result in
            completion(result.mapError { .journal($0) })
        }
    }

    /// Calls an observer for each session that ended or was changed by another process.
    func follow(_ observer: @escaping @Sendable (JournalNews) -> Void) {
        journal.follow(observer)
    }

    /// Ends a session; fails with `ended` or `notFound` if there is none.
    func end(
        _ id: String,
        at revision: Revision?,
        _ completion: @escaping @Sendable (Result<Void, HostError>) -> Void
    ) {
        journal.end(id, at: revision) { result in
            switch result {
            case .success(.ended): completion(.success(()))
            case .success(.hadEnded): completion(.failure(.ended))
            case .success(.unknown): completion(.failure(.notFound))
            case .failure(let error): completion(.failure(.journal(error)))
            }
        }
    }

    /// Marks sessions as used.
    func touch(
        _ ids: [String],
        at time: WallTime,
        _ completion: @escaping @Sendable (Result<Void, HostError>) -> Void
    ) {
        journal.touch(ids, at: time) { result in completion(result.mapError { .journal($0) }) }
    }

    /// The numbers of the verdicts of a session that stand.
    ///
    /// - Parameter pay: pays for a page after it was read. Its error ends the reading.
    func standingVerdicts(
        of id: String,
        paying pay: @escaping @Sendable (StandingPage) throws(HostError) -> Void,
        _ completion: @escaping @Sendable (Result<[Int], HostError>) -> Void
    ) {
        readVerdicts(of: id, after: 0, adding: Lock([]), paying: pay, completion)
    }

    /// Reads the verdicts after a number, page by page, and adds them to those before.
    private func readVerdicts(
        of id: String,
        after number: Int,
        adding found: Lock<[Int]>,
        paying pay: @escaping @Sendable (StandingPage) throws(HostError) -> Void,
        _ completion: @escaping @Sendable (Result<[Int], HostError>) -> Void
    ) {
        journal.standingVerdicts(of: id, after: number, limit: .max) { result in
            do throws(HostError) {
                let page = try result.mapError(HostError.journal).get()
                try pay(page)
                found.withLock { $0 += page.verdicts.lazy.map(\.number) }
                guard let next = page.next else { return completion(.success(found.withLock(\.self))) }
                readVerdicts(of: id, after: next, adding: found, paying: pay, completion)
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// The outcome that was saved under an idempotency key; nil if there is none that still counts. Fails with
    /// `keyReused` if another request had the key.
    func outcome(
        of id: String,
        under key: OperationKey,
        _ completion: @escaping @Sendable (Result<[UInt8]?, HostError>) -> Void
    ) {
        journal.answer(of: id, key: key.key) { result in
            switch result {
            case .success(let answer?) where answer.isFresh:
                let isSame = answer.fingerprint == key.fingerprint
                completion(isSame ? .success(answer.outcome) : .failure(.keyReused(key.key)))
            case .success: completion(.success(nil))
            case .failure(let error): completion(.failure(.journal(error)))
            }
        }
    }

    /// How many lines of a log are read at a time, so that others need not wait until a long one is read.
    private static let linesAtATime = 1000

    /// Reads lines of a session's log that are known to be there, in order.
    ///
    /// - Parameter completion: gets `ended` if the session has ended in the meantime, and `logForgotten` if the first lines were
    ///   removed because of their age. It may run before this returns.
    func lines(
        of id: String,
        _ range: Range<Int>,
        _ completion: @escaping @Sendable (Result<[[UInt8]], HostError>) -> Void
    ) {
        readLines(of: id, range, adding: Lock([]), completion)
    }

    /// Reads lines, page by page, and adds them to those before.
    private func readLines(
        of id: String,
        _ range: Range<Int>,
        adding found: Lock<[[UInt8]]>,
        _ completion: @escaping @Sendable (Result<[[UInt8]], HostError>) -> Void
    ) {
        guard !range.isEmpty else { return completion(.success(found.withLock(\.self))) }
        let count = min(range.count, Self.linesAtATime)
        journal.log(of: id, from: range.lowerBound, limit: count) { result in
            switch result {
            case .failure(let error): completion(.failure(.journal(error)))
            case .success(let page) where page.firstLine == range.lowerBound && page.lines.count == count:
                found.withLock { $0 += page.lines }
                readLines(of: id, range.dropFirst(count), adding: found, completion)
            case .success: ifPresent(id, completion) { completion(.failure(.logForgotten)) }
            }
        }
    }

    /// Reads the lines of a part of a session's log that are left.
    ///
    /// - Parameter completion: gets `ended` if the session has ended in the meantime. The page begins at the end of the range if no
    ///   line is left. It may run before this returns.
    func remainingLines(
        of id: String,
        _ range: Range<Int>,
        limit: Int,
        _ completion: @escaping @Sendable (Result<LogPage, HostError>) -> Void
    ) {
        journal.log(of: id, from: range.lowerBound, limit: limit) { result in
            switch result {
            case .failure(let error): completion(.failure(.journal(error)))
            case .success(let page) where page.firstLine < range.upperBound && !page.lines.isEmpty:
                let lines = page.lines.prefix(range.upperBound - page.firstLine)
                completion(.success(LogPage(firstLine: page.firstLine, lines: Array(lines))))
            case .success:
                ifPresent(id, completion) { completion(.success(LogPage(firstLine: range.upperBound, lines: []))) }
            }
        }
    }

    /// Continues if a session has not ended.
    private func ifPresent<Value>(
        _ id: String,
        _ completion: @escaping @Sendable (Result<Value, HostError>) -> Void,
        _ next: @escaping @Sendable () -> Void
    ) {
        heads(of: [id]) { result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let heads): if heads[id] == nil { completion(.failure(.ended)) } else { next() }
            }
        }
    }
}

extension AnswerRecord {
    /// The outcome that is saved under a key.
    init(_ outcome: [UInt8], for key: OperationKey, at time: WallTime) {
        self.init(key: key.key, fingerprint: key.fingerprint, outcome: outcome, at: time)
    }

    /// Whether the answer still counts.
    fileprivate var isFresh: Bool {
        at.milliseconds > WallTime.now().milliseconds - OperationKey.lifetimeMilliseconds
    }
}
