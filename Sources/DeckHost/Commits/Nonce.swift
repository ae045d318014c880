internal import Synchronization

/// The numbers by which the journal recognizes an entry that is appended again.
enum Nonce {
    /// Another process begins at another number, so two entries after the same one have different nonces.
    private static let last = Atomic<UInt64>(.random(in: .min ... .max))
    /// An odd number, so that all others come before a number comes again.
    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// A number that no other entry of this process has.
    static func next() -> UInt64 {
        last.wrappingAdd(step, ordering: .relaxed).newValue
    }
}
