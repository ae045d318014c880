/// The swipes that can be taken back, last in, first out, and bounded: the oldest gives way.
struct History: Sendable, Hashable {
    private var verdicts: [Verdict] = []
    /// Where the kept verdicts begin. Those before it are dropped together now and then, so that each append takes
    /// constant time on average.
    private var head = 0

    var count: Int {
        verdicts.count - head
    }

    var last: Verdict? {
        count > 0 ? verdicts.last : nil
    }

    mutating func append(_ verdict: Verdict) {
        verdicts.append(verdict)
        guard count > EngineLimits.historyDepth else { return }
        head += 1
        if head >= EngineLimits.historyDepth {
            verdicts.removeFirst(head)
            head = 0
        }
    }

    mutating func removeLast() {
        verdicts.removeLast()
    }

    mutating func removeAll(where isGone: (Verdict) -> Bool = { _ in true }) {
        verdicts.removeFirst(head)
        head = 0
        verdicts.removeAll(where: isGone)
    }

    // Two histories are equal when they keep the same verdicts, wherever in storage those begin.
    static func == (left: History, right: History) -> Bool {
        left.verdicts[left.head...] == right.verdicts[right.head...]
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(verdicts[head...])
    }
}
