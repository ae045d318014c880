internal import Glibc

/// A lock under which a thread can wait until another thread signals.
///
/// Its waits end by the system's steady clock. Those of Foundation's `NSCondition` end by the wall clock, and so they last longer
/// when that is set back.
///
/// Unchecked because the mutex and the condition are made for use by several threads.
public final class Condition: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// A condition whose lock is free.
    public init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Takes the lock.
    public func lock() {
        pthread_mutex_lock(mutex)
    }

    /// Releases the lock.
    public func unlock() {
        pthread_mutex_unlock(mutex)
    }

    /// Runs the body while no other thread has the lock; it must not take the lock again.
    public func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    /// Releases the lock, waits for a signal, and takes the lock again. It can return without a signal.
    public func wait() {
        pthread_cond_wait(condition, mutex)
    }

    /// The same, but waits no longer than until the deadline.
    ///
    /// - Returns: false if the deadline has passed.
    public func wait(until deadline: ContinuousClock.Instant) -> Bool {
        // This clock stands still while the machine sleeps, so the deadline is counted from now on.
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let (seconds, attoseconds) = max(.zero, deadline - .now).components
        let nanoseconds = end.tv_nsec + Int(attoseconds / 1_000_000_000)
        end.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        return pthread_cond_timedwait(condition, mutex, &end) != ETIMEDOUT
    }

    /// Wakes one thread that waits.
    public func signal() {
        pthread_cond_signal(condition)
    }

    /// Wakes all threads that wait.
    public func broadcast() {
        pthread_cond_broadcast(condition)
    }
}
