import DeckEngine

/// The verdicts of a session that stand, in the order they were given.
struct VerdictList: Sendable {
    /// How many are kept; of a longer session the oldest are forgotten here.
    static let capacity = 100_000

    private(set) var standing: [Verdict] = []

    mutating func take(_ change: VerdictChange) {
        switch change {
        case .given(let verdict):
            standing.append(verdict)
            // Dropping a tenth at a time keeps the cost of each verdict constant on average.
            if standing.count > Self.capacity { standing.removeFirst(Self.capacity / 10) }
        case .reverted(let verdict):
            guard let place = standing.lastIndex(where: { $0.sequence == verdict.sequence }) else { return }
            standing.remove(at: place)
        }
    }
}
