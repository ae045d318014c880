import MicroHTTP
import Synchronization

/// Numbers that many threads add to at a time, and that are summed up when they are read.
///
/// Each worker has a copy, or shares one with few others, so that they do not take the processor's cache lines from each
/// other.
///
/// Unchecked because a pointer is not `Sendable`. The memory has atomic numbers and lives as long as this object.
final class Cells: @unchecked Sendable {
    let count: Int
    private let shards: Int
    /// The distance between a shard and the next: whole cache lines.
    private let stride: Int
    private let cells: UnsafeMutablePointer<Atomic<Int>>

    /// Two lines of 64 bytes, as processors fetch them in pairs.
    private static let cellsPerCacheLine = 16

    /// - Parameter shards: the number of copies; one if only one thread adds.
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

    /// Adds to a number. An index that does not exist is ignored.
    ///
    /// - Parameter shard: any number. A thread that adds often should always pass the same one.
    func add(_ value: Int = 1, to index: Int, shard: UInt64 = 0) {
        guard index >= 0, index < count else { return }
        let copy = Int(truncatingIfNeeded: shard % UInt64(shards))
        cells[copy * stride + index].add(value, ordering: .relaxed)
    }

    /// The sum of a number.
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
