import DeckJournal
import DeckWire
import Locking
import Synchronization

/// The sessions that clients can reach, by id. Those that were used lately are in memory, over several locks so that
/// workers seldom wait for each other; the journal has all of them.
final class SessionTable: Sendable {
    struct Resident: Sendable {
        var session: HostedSession
        /// Grows with each use, so that the one with the least was not used for the longest time.
        var lastUse: Int
    }

    private static let shardCount = 64

    let journal: any Journal
    let shards = (0..<shardCount).map { _ in Lock<[String: Resident]>([:]) }
    let uses = Atomic(0)
    /// How many uses there had been when it was last tidied up.
    let tidiedUses = Atomic(0)
    /// How many sessions there are, in memory or not.
    let count = Atomic(0)
    private let maximumCount: Int
    private let residentsPerShard: Int
    let residency: Residency

    init(
        journal: any Journal,
        maximumCount: Int,
        maximumResidents: Int,
        residentIdleTime: Duration = .seconds(600)
    ) {
        residency = Residency(idleTime: residentIdleTime)
        self.journal = journal
        self.maximumCount = maximumCount
        residentsPerShard = max(1, maximumResidents / Self.shardCount)
    }

    /// Counts the sessions that the journal has from before.
    func countKept(_ body: @escaping @Sendable (Result<Void, Problem>) -> Void) {
        journal.counts { [self] result in
            body(Result { () throws(Problem) in _ = count.add(try result.found().sessions, ordering: .relaxed) })
        }
    }

    /// Keeps a new session, unless there are as many as there may be.
    func insert(
        _ session: HostedSession,
        _ record: NewSession,
        _ body: @escaping @Sendable (Result<Void, Problem>) -> Void
    ) {
        guard count.add(1, ordering: .relaxed).newValue <= maximumCount else {
            count.subtract(1, ordering: .relaxed)
            return body(.failure(Problem(.tooManySessions, "The server holds as many sessions as it may.")))
        }
        journal.createSession(record) { [self] result in
            switch result {
            case .success:
                add(session)
                body(.success(()))
            case .failure(let error):
                count.subtract(1, ordering: .relaxed)
                body(.failure(Problem(error)))
            }
        }
    }

    /// Finds a session; the body may run before this returns, or later on any thread.
    func find(_ id: String, _ body: @escaping @Sendable (Result<HostedSession, Problem>) -> Void) {
        if let session = resident(id) { return body(.success(session)) }
        journal.loadSession(id) { [self] result in
            body(
                Result { () throws(Problem) in
                    switch try result.found() {
                    case .session(let stored): return add(try HostedSession(stored, journal: journal))
                    case .ended: throw Problem(.sessionEnded, "The session has ended.")
                    case .unknown: throw Problem(.notFound, "There is no such session.")
                    }
                }
            )
        }
    }

    /// Ends a session.
    func end(_ id: String, _ body: @escaping @Sendable (Result<Void, Problem>) -> Void) {
        journal.endSession(id) { [self] result in
            forget(id)
            body(
                Result { () throws(Problem) in
                    switch try result.found() {
                    case .ended: count.subtract(1, ordering: .relaxed)
                    case .hadEnded: throw Problem(.sessionEnded, "The session has ended.")
                    case .unknown: throw Problem(.notFound, "There is no such session.")
                    }
                }
            )
        }
    }

    /// How many sessions there are.
    var totalCount: Int { count.load(ordering: .relaxed) }

    /// How many of them are in memory.
    var residentCount: Int {
        shards.reduce(0) { sum, shard in sum + shard.withLock { $0.count } }
    }

    /// Drops a session from memory, and tells those who watch it. The journal has it still as it was last kept, unless
    /// it has ended.
    func forget(_ id: String) {
        shard(of: id).withLock { $0.removeValue(forKey: id) }?.session.end()
    }

    /// Drops a session from memory if what is there is not what the journal has; another of its id that has come into
    /// memory since stays.
    func forgetIfLost(_ session: HostedSession) {
        guard session.isLost else { return }
        let id = session.identity.id
        let isThere = shard(of: id).withLock { residents in
            guard residents[id]?.session === session else { return false }
            residents[id] = nil
            return true
        }
        if isThere { session.end() }
    }

    /// The session if it is in memory. One that is not what the journal has is dropped, to be read again.
    private func resident(_ id: String) -> HostedSession? {
        let (session, lost): (HostedSession?, HostedSession?) = shard(of: id).withLock { residents in
            guard let session = residents[id]?.session else { return (nil, nil) }
            guard !session.isLost else {
                residents[id] = nil
                return (nil, session)
            }
            residents[id]?.lastUse = uses.add(1, ordering: .relaxed).newValue
            return (session, nil)
        }
        lost?.end()
        return session
    }

    /// Brings a session into memory, unless it has come there meanwhile, and puts the one that was not used for the
    /// longest time away if there are too many.
    ///
    /// - Returns: the one that is in memory.
    @discardableResult
    private func add(_ session: HostedSession) -> HostedSession {
        let id = session.identity.id
        var unkept: [HostedSession] = []
        let resident = shard(of: id).withLock { residents in
            if let other = residents[id] { return other.session }
            if residents.count >= residentsPerShard { unkept = makeRoom(in: &residents) }
            residents[id] = Resident(session: session, lastUse: uses.add(1, ordering: .relaxed).newValue)
            return session
        }
        for session in unkept { session.keep() }
        return resident
    }

    /// How many sessions are tried when one has to leave memory.
    private static let triesToMakeRoom = 8

    /// Puts away the session that was not used for the longest time, of those that can leave. One that is watched
    /// stays, though there be too many then: its watchers are bounded themselves.
    ///
    /// - Returns: those that are to be kept, so that they can leave later.
    private func makeRoom(in residents: inout [String: Resident]) -> [HostedSession] {
        var unkept: [HostedSession] = []
        for _ in 0..<Self.triesToMakeRoom {
            guard let oldest = residents.min(by: { $0.value.lastUse < $1.value.lastUse }) else { break }
            switch oldest.value.session.leave() {
            case .left:
                residents[oldest.key] = nil
                return unkept
            case .stays: break
            case .isToBeKept: unkept.append(oldest.value.session)
            }
            residents[oldest.key]?.lastUse = uses.add(1, ordering: .relaxed).newValue
        }
        return unkept
    }

    private func shard(of id: String) -> Lock<[String: Resident]> {
        shards[Int(id.hashValue.magnitude % UInt(Self.shardCount))]
    }
}

extension HostedSession {
    /// A session as the journal has it.
    fileprivate convenience init(_ stored: StoredSession, journal: any Journal) throws(Problem) {
        let kind = ClockKind.allCases.first { $0.name.description == stored.identity.clock } ?? .server
        let creation = Timestamp(milliseconds: Int(stored.identity.createdAt.milliseconds))
        self.init(
            identity: stored.identity,
            clock: SessionClock(kind: kind, since: creation),
            state: try SessionForm.read(stored),
            journal: journal
        )
    }
}
