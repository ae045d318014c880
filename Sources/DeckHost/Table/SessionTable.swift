internal import DeckEngine
public import DeckJournal
internal import DeckWire
internal import Locking
internal import Synchronization

/// The sessions that clients can reach, by id. Those that were used lately are in memory, in several shards so that
/// threads seldom wait for each other; the journal has all of them.
///
/// **How many are in memory.** After each arrival and each commit sessions leave until there are as many as
/// ``HostLimits/residentSessions`` says. More are in memory only as long as they cannot leave: because they are watched
/// (the number of watchers is limited by their callers), because a commit has started (there is at most one for each
/// operation that waits), or because they are being saved before they leave.
///
/// **Locks.** A shard's lock is never held while a session's lock is waited for, nor while the journal or a caller's
/// closure runs. A session is marked as gone under its own lock and removed from its shard afterwards. A caller that
/// finds it in between also removes it and loads it again.
///
/// **Ended sessions.** When a session ends, a load that started before is marked as removed and repeated, so that it
/// finds the end.
public final class SessionTable: Sendable {
    let journal: SessionJournal
    let limits: HostLimits
    /// The threads for large changes and other long work.
    public let pool: WorkPool
    let accounts: Accounts
    /// What all requests have cost.
    public var costs: CostCounts { accounts.counts }
    let keysInUse = KeysInUse()
    /// The settings and the cards that loaded sessions share.
    let decks = Lock(SharedDecks())
    let residency: Residency
    /// Plays the logs of sessions.
    public let past: PastReader
    let shards: [Lock<TableShard>]
    let previews: PreviewSender
    /// The sessions of which a preview was requested, by the numbers of the requests.
    let awaitedPreviews = Lock<[UInt64: AwaitedPreview]>([:])
    let uses = Atomic(0)
    /// The sessions that the next report of uses must name beside those in memory: they have left memory, or the last report
    /// has failed.
    let unreported = Lock<Set<UsedSession>>([])
    /// Whether a report of uses is being made.
    let isReporting = Atomic(false)
    /// How many sessions are in memory.
    let residents = Atomic(0)
    /// How often a session was loaded.
    let loads = Atomic(0)
    /// How often a session left memory to make room or because it was idle.
    let evictions = Atomic(0)

    /// How often another process had changed a session when a change was committed.
    let conflicts = Atomic(0)
    /// How often an operation was applied again, because of a conflict or because its session left memory.
    let reapplications = Atomic(0)

    /// A table over a journal.
    public init(journal rawJournal: any Journal, limits: HostLimits) {
        journal = SessionJournal(rawJournal, commitTime: limits.commitTime)
        self.limits = limits
        previews = PreviewSender(journal: journal)
        residency = Residency(idleTime: limits.residentIdleTime)
        accounts = Accounts(limits.cost)
        pool = WorkPool(threads: limits.workThreads)
        past = PastReader(journal: journal, pool: pool, prices: limits.prices)
        // Small shards would say little about which sessions are the oldest.
        let shardCount = max(1, min(64, limits.residentSessions / 32))
        shards = (0..<shardCount).map { _ in Lock(TableShard()) }
        // The journal outlives the table only while both are being closed.
        journal.follow { [weak self] news in self?.take(news) }
    }

    /// How many sessions there are, in memory or not.
    public var totalCount: Int { journal.sessionCount }

    /// How many of them are in memory.
    public var residentCount: Int { residents.load(ordering: .relaxed) }

    /// How often a session was loaded from the journal.
    public var loadCount: Int { loads.load(ordering: .relaxed) }

    /// How often a session left memory to make room for another, or because it was idle.
    public var evictionCount: Int { evictions.load(ordering: .relaxed) }

    /// How often a commit found that another process had changed the session.
    public var conflictCount: Int { conflicts.load(ordering: .relaxed) }

    /// How often an operation was applied again.
    public var reapplicationCount: Int { reapplications.load(ordering: .relaxed) }

    /// The number of the shard to which an id belongs. Ids are random, so eight of their characters suffice.
    func shardIndex(of id: String) -> Int {
        var id = id
        let end = id.withUTF8 { bytes in
            let offset = bytes.count - MemoryLayout<UInt64>.size
            return offset < 0 ? 0 : UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        }
        // The upper half of the product depends on all bits of the characters.
        return Int((end &* 0x9E37_79B9_7F4A_7C15) >> 32) % shards.count
    }

    func shard(of id: String) -> Lock<TableShard> {
        shards[shardIndex(of: id)]
    }

    func nextUse() -> Int {
        uses.add(1, ordering: .relaxed).newValue
    }

    /// Removes a session that has ended from memory, also one on its way there, and notifies its watchers.
    func forget(_ id: String) {
        guard let session = shard(of: id).withLock({ $0.remove(id) }) else { return }
        residents.subtract(1, ordering: .relaxed)
        session.retire()
    }

    /// Removes this session from memory, to be loaded again. Another of its id that has come since stays.
    func drop(_ session: HostedSession) {
        if shard(of: session.identity.id).withLock({ $0.remove(session) }) {
            residents.subtract(1, ordering: .relaxed)
        }
        session.retire()
    }
}
