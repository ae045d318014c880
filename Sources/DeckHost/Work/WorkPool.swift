internal import Dispatch
internal import Locking

/// A few threads for work that would keep an event loop for too long.
///
/// Each job belongs to a lane, such as that of a session. The jobs of a lane are done in their order, one at a time, and
/// lanes take turns. So a session with much work waits for itself, and others wait for one of its jobs at most.
public final class WorkPool: Sendable {
    /// Work that is done once, on a thread of the pool.
    public typealias Job = @Sendable () -> Void

    fileprivate struct State {
        /// The jobs that wait in each lane. A lane exists as long as a job of it waits or is being done.
        var lanes: [String: [Job]] = [:]
        /// Lanes with jobs of which none is being done, in the order of their turns.
        var turns: [String] = []
        var waitingCount = 0
        var threadCount = 0
    }

    /// The most bytes that are parsed at once. More of them are parsed on the pool.
    public static let mostBytesAtOnce = 65_536

    /// How many jobs wait at most, in all lanes.
    private static let maximumWaiting = 1024

    private let maximumThreads: Int
    private let queue = DispatchQueue(label: "deckd.work", attributes: .concurrent)
    private let state = Lock(State())

    /// A pool with this many threads.
    public init(threads: Int) {
        maximumThreads = max(1, threads)
    }

    /// How many jobs wait.
    public var waitingCount: Int { state.withLock { $0.waitingCount } }

    /// Has a job done after those before it in its lane.
    ///
    /// - Throws: `overloaded` if too many jobs wait; the job will not be done then.
    public func submit(to lane: String, _ job: @escaping Job) throws(HostError) {
        let (isAccepted, isThreadNeeded) = state.withLock { state -> (Bool, Bool) in
            guard state.waitingCount < Self.maximumWaiting else { return (false, false) }
            state.waitingCount += 1
            if state.lanes[lane] == nil { state.turns.append(lane) }
            state.lanes[lane, default: []].append(job)
            guard state.threadCount < maximumThreads, !state.turns.isEmpty else { return (true, false) }
            state.threadCount += 1
            return (true, true)
        }
        guard isAccepted else { throw .overloaded }
        if isThreadNeeded { queue.async { [self] in work() } }
    }

    /// Does a job on the pool or, if it is not large, at once.
    ///
    /// - Parameter fail: is called instead, with `overloaded`, if too many jobs wait.
    public func run(
        in lane: String,
        if isLarge: Bool = true,
        orElse fail: (HostError) -> Void,
        _ job: @escaping Job
    ) {
        guard isLarge else { return job() }
        do throws(HostError) {
            try submit(to: lane, job)
        } catch {
            fail(error)
        }
    }

    /// Does jobs until no lane has a turn.
    private func work() {
        while let (lane, job) = state.withLock({ $0.take() }) {
            job()
            state.withLock { $0.finish(lane) }
        }
    }
}

extension WorkPool.State {
    /// Takes the next job of the lane whose turn it is. Without one, the thread that asks ends.
    fileprivate mutating func take() -> (lane: String, job: WorkPool.Job)? {
        guard !turns.isEmpty else {
            threadCount -= 1
            return nil
        }
        let lane = turns.removeFirst()
        let job = lanes[lane, default: []].removeFirst()
        waitingCount -= 1
        return (lane, job)
    }

    /// A job of a lane is done.
    fileprivate mutating func finish(_ lane: String) {
        if lanes[lane]?.isEmpty ?? true { lanes[lane] = nil } else { turns.append(lane) }
    }
}
