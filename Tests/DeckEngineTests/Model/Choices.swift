/// The choices that the documents leave open. At each one the model asks which reading applies, and a run follows the
/// readings that match the engine's answers.
final class Choices {
    private let script: [Int]
    private var widths: [Int] = []

    init(_ script: [Int] = []) {
        self.script = script
    }

    /// One of `count` readings; the first one unless the script names another.
    func pick(_ count: Int = 2) -> Int {
        let place = widths.count
        widths.append(count)
        return place < script.count ? script[place] : 0
    }

    /// Whether the second of two readings applies.
    var isOther: Bool {
        pick() == 1
    }

    /// The next combination of choices; nil after the last one.
    var next: [Int]? {
        var made = (0..<widths.count).map { $0 < script.count ? script[$0] : 0 }
        while let last = made.last {
            if last + 1 < widths[made.count - 1] {
                made[made.count - 1] += 1
                return made
            }
            made.removeLast()
        }
        return nil
    }
}
