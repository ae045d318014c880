import MicroHTTP
import Synchronization

/// Numbers that many threads add to at a time, and that are summed up when they are read.
///
/// Each worker has a copy, or shares one with few others, so that they do not take the processor's cache lines from each
/// other.
///
/// Unchecked because a pointer is not `Sendable`; what it points to is atomic, and stays until the end.
final class Cells: @unchecked Sendable {
    let count: Int
    private let shards: Int
    /// The distance between a shard and the next: whole cache lines.
    private let stride: Int
    private let cells: UnsafeMutablePointer<Atomic<Int>>

    /// Two lines of 64 bytes, as processors fetch them in pairs.
    private static let cellsPerCacheLine = 16

    /// - Parameter shards: how many copies there are; one, where there is one thread that adds.
    init(_ count: Int, shards: Int = 1) {
        self.count = count
        self.shards = max(1, shards)
        stride = (count + Self.cellsPerCacheLine - 1) / Self.cellsPerCacheLine * Self.cellsPerCacheLine
        cells = .allocate(capacity: self.shards * stride)
        for index in 0..<self.shards * stride { (cells + index).initialize(to: Atomic(0)) }
    }

    deinit {
        cells.deinitialize(count: shards * stride)
        cells.deallocate()
    }

    /// Adds to a number; one that does not exist is passed over.
    ///
    /// - Parameter shard: any number; who adds often should always give the same.
    func add(_ value: Int = 1, to index: Int, shard: UInt64 = 0) {
        guard index >= 0, index < count else { return }
        let copy = Int(truncatingIfNeeded: shard % UInt64(shards))
        cells[copy * stride + index].add(value, ordering: .relaxed)
    }

    /// What was added to a number so far.
    func sum(_ index: Int) -> Int {
        guard index >= 0, index < count else { return 0 }
        var sum = 0
        for copy in 0..<shards { sum += cells[copy * stride + index].load(ordering: .relaxed) }
        return sum
    }
}

extension RequestID {
    /// The requests of one worker have the same first half, whose lowest bit is always set.
    var shard: UInt64 { high >> 1 }
}
