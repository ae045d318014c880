/// What the documents leave open. The model asks at each such place which of the readings holds, and a run follows those
/// that the engine's answers fit.
final class Choices {
    private let script: [Int]
    private var widths: [Int] = []

    init(_ script: [Int] = []) {
        self.script = script
    }

    /// One of so many readings; the first one unless the script says otherwise.
    func pick(_ count: Int = 2) -> Int {
        let place = widths.count
        widths.append(count)
        return place < script.count ? script[place] : 0
    }

    /// Whether the other one of two readings holds.
    var isOther: Bool {
        pick() == 1
    }

    /// The choices after these; nil when all were made.
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
