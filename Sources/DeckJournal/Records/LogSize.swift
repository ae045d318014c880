/// How long a session's log is.
public struct LogSize: Sendable, Hashable {
    /// The lines.
    public var lineCount: Int
    /// The bytes of all lines.
    public var byteCount: Int

    /// Creates a size.
    public init(lineCount: Int = 0, byteCount: Int = 0) {
        self.lineCount = lineCount
        self.byteCount = byteCount
    }

    /// The size of a log of these lines.
    public init(of lines: [[UInt8]]) {
        self.init()
        add(lines)
    }

    /// Adds lines.
    public mutating func add(_ lines: [[UInt8]]) {
        lineCount += lines.count
        byteCount += lines.reduce(0) { $0 + $1.count }
    }
}
