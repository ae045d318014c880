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

/// A part of a log.
public struct LogPage: Sendable, Hashable {
    /// The number of the first line of the page; the first line of the log is line 0.
    public var firstLine: Int
    /// The lines.
    public var lines: [[UInt8]]

    /// Creates a page.
    public init(firstLine: Int, lines: [[UInt8]]) {
        self.firstLine = firstLine
        self.lines = lines
    }
}
