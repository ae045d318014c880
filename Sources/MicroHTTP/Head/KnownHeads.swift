/// The heads that a worker has accepted lately.
///
/// A client that drags or polls sends the same head again and again. To compare it costs a few instructions for each header, and
/// to read, route and authenticate it costs a hundred times that.
///
/// A head is remembered when it comes for the second time. With more clients in turn than there are places, each head would
/// otherwise replace another before it comes again, and to remember and to free it costs more than a worker gains.
///
/// The heads are in sets of two, by their digests. A head comes to the second place of its set, and moves to the first one when
/// it is found again. So heads that come seldom do not replace those that come often.
struct KnownHeads {
    /// The most heads, which have about 2 kB each.
    static let capacity = 2_048
    /// Longer heads are not remembered.
    static let longestBytes = 2_048

    /// Where a head belongs.
    struct Place {
        private let digest: UInt64

        /// - Parameter digest: a number that most other heads do not have.
        init(digest: UInt64) {
            self.digest = digest
        }

        /// The index of the first head of its set.
        var firstOfSet: Int { Int(truncatingIfNeeded: digest) & (capacity / 2 - 1) << 1 }
        /// The index of its mark.
        var mark: Int { Int(truncatingIfNeeded: digest >> 16) & (capacity - 1) }
        /// What is marked there.
        var tag: UInt32 { UInt32(truncatingIfNeeded: digest >> 32) }
    }

    private var heads = [KnownHead?](repeating: nil, count: capacity)
    /// The tags of heads that were not found. There are as many as places, so a head is marked about as long as it would be
    /// remembered.
    private var marks = [UInt32](repeating: 0, count: capacity)
    /// Makes the digests differ from process to process.
    private let seed = UInt64.random(in: 0...UInt64.max)

    /// The known head that is the same as one that was received.
    mutating func find(_ raw: RawHead, at place: Place?) -> KnownHead? {
        guard let first = place?.firstOfSet else { return nil }
        if let head = heads[first], head.isSame(as: raw) { return head }
        guard let head = heads[first + 1], head.isSame(as: raw) else { return nil }
        heads.swapAt(first, first + 1)
        return head
    }

    /// Marks a head that was not found. Returns whether it was marked before, and not long ago.
    mutating func mark(_ place: Place?) -> Bool {
        guard let place else { return false }
        defer { marks[place.mark] = place.tag }
        return marks[place.mark] == place.tag
    }

    /// Remembers a head that was not found.
    mutating func add(_ head: KnownHead, at place: Place?) {
        if let first = place?.firstOfSet { heads[first + 1] = head }
    }

    /// The place for a head. Most other heads have another one. nil: a head of this length is not remembered.
    func place(for raw: RawHead) -> Place? {
        let (bytes, wordSize) = (raw.bytes, MemoryLayout<UInt64>.size)
        guard (wordSize...Self.longestBytes).contains(bytes.count) else { return nil }
        var digest = seed ^ UInt64(bytes.count)
        for offset in stride(from: 0, through: bytes.count - wordSize, by: wordSize) {
            digest = Self.mixed(digest, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        digest = Self.mixed(digest, bytes.loadUnaligned(fromByteOffset: bytes.count - wordSize, as: UInt64.self))
        return Place(digest: digest)
    }

    /// Both halves of a product, as in wyhash, so that each bit of the word changes many bits.
    private static func mixed(_ digest: UInt64, _ word: UInt64) -> UInt64 {
        let product = (digest ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}
