/// A large value that copies share until one of them changes.
public struct Shared<Value: Sendable>: Sendable {
    /// A change is made only to storage that no other copy has, so that no other thread sees it. The value is behind a
    /// pointer, because a stored property of a class is copied when it is read.
    private final class Storage: @unchecked Sendable {
        let value: UnsafeMutablePointer<Value>

        init(_ value: Value) {
            self.value = .allocate(capacity: 1)
            self.value.initialize(to: value)
        }

        deinit {
            value.deinitialize(count: 1)
            value.deallocate()
        }
    }

    private var storage: Storage

    /// Storage that no other copy has.
    public init(_ value: Value) {
        storage = Storage(value)
    }

    /// The value.
    ///
    /// The addressors let a caller use the value where it is. A `_read` accessor would give it a copy.
    public var value: Value {
        @inline(__always) unsafeAddress { UnsafePointer(storage.value) }
        @inline(__always) unsafeMutableAddress {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value.pointee) }
            return storage.value
        }
    }

    /// Where the value is.
    public var address: UnsafePointer<Value> {
        @inline(__always) get { UnsafePointer(storage.value) }
    }

    #if hasFeature(Embedded)
    /// Where the value is, once no copy has the same storage.
    @inline(never)
    mutating func ownAddress() -> UnsafeMutablePointer<Value> {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value.pointee) }
        return storage.value
    }
    #endif

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
