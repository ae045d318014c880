/// A large value that copies share until one of them changes.
public struct Shared<Value: Sendable>: Sendable {
    @usableFromInline var storage: SharedStorage<Value>

    /// Storage that no other copy has.
    @inlinable
    public init(_ value: Value) {
        storage = SharedStorage(value)
    }

    /// The value.
    ///
    /// The addressors let a caller use the value where it is. A `_read` accessor would give it a copy.
    @inlinable public var value: Value {
        @inline(__always) unsafeAddress { address }
        @inline(__always) unsafeMutableAddress { ownAddress() }
    }

    /// Calls a closure with the value where it is. A method that is called on `value`, or a function that gets it, is called with
    /// a copy, because the compiler cannot know that the storage does not change meanwhile. A copy of a session takes 1,000
    /// instructions.
    @inlinable @inline(__always)
    public func read<Result, Failure: Error>(
        _ body: (Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withExtendedLifetime(storage) { () throws(Failure) in
            try UnsafeRawPointer(storage.value).assumingMemoryBound(to: Borrowed<Value>.self).pointee.read(body)
        }
    }

    /// Where the value is.
    @inlinable public var address: UnsafePointer<Value> {
        @inline(__always) get { UnsafePointer(storage.value) }
    }

    /// Where the value is, once no copy has the same storage.
    @inlinable @inline(never)
    public mutating func ownAddress() -> UnsafeMutablePointer<Value> {
        if !isKnownUniquelyReferenced(&storage) { storage = SharedStorage(storage.value.pointee) }
        return storage.value
    }

    /// Whether both have the same storage, and so the same value.
    public func isIdentical(to other: Shared) -> Bool { storage === other.storage }
}

#if hasFeature(Embedded)
extension Shared: Equatable, Hashable where Value: Hashable {
    /// Whether both have equal values.
    public static func == (left: Shared, right: Shared) -> Bool {
        left.isIdentical(to: right) || left.value == right.value
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}
#endif

/// A value that several copies of ``Shared`` have.
///
/// A change is made only to storage that no other copy has, so that no other thread sees it. The value is behind a pointer,
/// because a stored property of a class is copied when it is read.
@usableFromInline
final class SharedStorage<Value: Sendable>: @unchecked Sendable {
    @usableFromInline let value: UnsafeMutablePointer<Value>

    @inlinable
    init(_ value: Value) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
    }

    @inlinable
    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
    }
}

/// A value that cannot be copied, so that the compiler uses it where it is. It has the same form in memory as the value itself.
@usableFromInline
struct Borrowed<Value>: ~Copyable {
    @usableFromInline let value: Value

    @inlinable @inline(__always)
    borrowing func read<Result, Failure: Error>(
        _ body: (Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(value)
    }
}
