public import Glibc

/// A value that one thread at a time may touch.
///
/// It stands in for `Synchronization.Mutex`, which takes its lock inside a library that the thread sanitizer cannot see
/// into, by which every use of it looks like a race. The sanitizer knows pthread's calls.
///
/// Copies share the value. Unchecked because the value is only touched while the lock is held.
public struct Lock<Value: Sendable>: @unchecked Sendable {
    @usableFromInline let storage: LockStorage<Value>

    /// A free lock over a value.
    @inlinable
    public init(_ value: Value) {
        storage = .make(value)
    }

    /// Runs the body while no other thread does; it must not take the same lock again.
    @inlinable
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.withUnsafeMutablePointers { mutex, value throws(Failure) in
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&value.pointee)
        }
    }
}

/// A mutex and the value after it, in one allocation. A mutex must stay where it is, which a stored property need not.
@usableFromInline
final class LockStorage<Value>: ManagedBuffer<pthread_mutex_t, Value> {
    @inlinable
    static func make(_ value: Value) -> LockStorage {
        let storage = unsafeDowncast(create(minimumCapacity: 1) { _ in pthread_mutex_t() }, to: LockStorage.self)
        storage.withUnsafeMutablePointers { mutex, place in
            pthread_mutex_init(mutex, nil)
            place.initialize(to: value)
        }
        return storage
    }

    @inlinable
    deinit {
        withUnsafeMutablePointers { mutex, value in
            value.deinitialize(count: 1)
            pthread_mutex_destroy(mutex)
        }
    }
}
