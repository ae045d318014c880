/// Lines of the log that wait to be written. Lines that come while it is full are dropped and counted.
struct LogBuffer: Sendable {
    private let capacityBytes: Int
    private var waiting: [UInt8] = []
    private var isClosed = false
    /// How many lines were dropped so far.
    private(set) var droppedLines = 0

    init(capacityBytes: Int) {
        self.capacityBytes = capacityBytes
    }

    /// Adds a line with its line break.
    ///
    /// - Returns: whether the line was added and not dropped.
    mutating func add(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !isClosed, waiting.count + line.count <= capacityBytes else {
            droppedLines += 1
            return false
        }
        waiting.append(contentsOf: line)
        return true
    }

    /// Removes all lines.
    ///
    /// - Parameter next: an empty array, whose memory is used for the next lines. It gets the lines.
    mutating func take(_ next: inout [UInt8]) {
        swap(&waiting, &next)
    }

    /// Accepts no more lines.
    mutating func close() {
        isClosed = true
    }
}
