internal import Synchronization

/// The numbers by which the journal recognizes an entry that is appended again.
enum Nonce {
    /// The start is random, so that entries of two processes after the same entry have different nonces.
    private static let last = Atomic<UInt64>(.random(in: .min ... .max))
    /// An odd number, so that the sequence has all 2^64 numbers before it repeats.
    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// A number that no other entry of this process has.
    static func next() -> UInt64 {
        last.wrappingAdd(step, ordering: .relaxed).newValue
    }
}
