import Glibc

/// Shows how far something is: on a terminal in one line that changes, otherwise in a line for each part.
final class ProgressBar {
    private static let width = 40
    private static let pause = Duration.milliseconds(100)

    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let start = ContinuousClock.now
    private var lastShown: ContinuousClock.Instant?
    private var lastPart = ""

    /// Shows a count.
    ///
    /// - Parameters:
    ///   - total: the count at the end, as far as it is known.
    ///   - part: what is being done.
    func show(_ count: Int, of total: Int, _ part: String) {
        guard isTerminal else {
            if part != lastPart { StandardError.write("\(part): \(count) of \(total)\n") }
            lastPart = part
            return
        }
        if let lastShown, .now - lastShown < Self.pause, count < total { return }
        lastShown = .now
        let share = total > 0 ? min(Double(count) / Double(total), 1) : 1
        let filled = Int(share * Double(Self.width))
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: Self.width - filled)
        let left = share > 0 ? (ContinuousClock.now - start) / .seconds(1) * (1 - share) / share : 0
        let line = "[\(bar)] \(Int(share * 100)) %, \(part), \(Int(left.rounded(.up))) s left"
        StandardError.write("\r\(line)\u{1B}[K")
    }

    /// Ends the line.
    func end() {
        if isTerminal, lastShown != nil { StandardError.write("\n") }
    }
}
