/// Identifies a request in logs: 128 bits that are never all zero. It is not a secret.
public struct RequestID: Sendable, Hashable, CustomStringConvertible {
    /// The first half, which all requests of one worker share.
    public var high: UInt64
    /// The second half.
    public var low: UInt64

    /// Creates an id from its halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// 32 hexadecimal digits in lower case, as a trace's id is written (W3C Trace Context, section 3.2.2.3).
    public var description: String {
        headerValue.text
    }
}

/// Gives each request of one worker an id: a random half, and a count with a random start.
struct RequestIDs {
    private var next: RequestID

    init() {
        var generator = SystemRandomNumberGenerator()
        next = RequestID(high: generator.next() | 1, low: generator.next())
    }

    mutating func take() -> RequestID {
        next.low &+= 1
        return next
    }
}
