internal import Glibc

/// A value that one thread at a time may touch.
///
/// It stands in for `Synchronization.Mutex`, which takes its lock inside a library that the thread sanitizer cannot see
/// into, by which every use of it looks like a race. The sanitizer knows pthread's calls. The value must not be an empty
/// tuple: that takes no memory, so using it would look like using the head of this object.
///
/// Unchecked because the value is only touched while the lock is held.
public final class Lock<Value>: @unchecked Sendable {
    /// A mutex must stay where it is, which a stored property need not.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    /// A free lock over a value to which there is no other reference.
    public init(_ value: sending Value) {
        self.value = value
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs the body while no other thread does; it must not take the same lock again.
    public func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
