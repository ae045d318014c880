/// The bases of the cards of sessions. Sessions with equal cards share the memory of one base.
struct MemoryCards {
    private var bases: [[UInt8]: (base: CardsBase, sessionCount: Int)] = [:]

    /// Adds a session to a base. Returns the base that it shares.
    mutating func take(_ base: CardsBase) -> CardsBase {
        bases[base.hash, default: (base, 0)].sessionCount += 1
        return bases[base.hash]?.base ?? base
    }

    /// Takes a session away from a base.
    mutating func leave(_ hash: [UInt8]?) {
        guard let hash, let count = bases[hash]?.sessionCount else { return }
        if count == 1 { bases[hash] = nil } else { bases[hash]?.sessionCount = count - 1 }
    }
}
