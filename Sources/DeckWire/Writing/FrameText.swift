public import DeckEngine

/// A frame that was written, in which the time can be replaced. At rest nothing else in a frame changes.
public struct FrameText: Sendable {
    private let bytes: [UInt8]
    /// Where the time is in the bytes; nil: the frame does not have it.
    private let time: Range<Int>?

    init(_ bytes: [UInt8], time: Range<Int>?) {
        self.bytes = bytes
        self.time = time
    }

    /// The number of bytes.
    public var byteCount: Int { bytes.count }

    /// The frame at a time.
    public func bytes(at time: Instant) -> WrittenBytes {
        var text = TextBuffer(capacity: bytes.count + TextBuffer.numberRoom)
        bytes.withUnsafeBufferPointer { bytes in
            let place = self.time ?? bytes.count..<bytes.count
            text.append(UnsafeBufferPointer(rebasing: bytes[..<place.lowerBound]))
            if !place.isEmpty { text.append(time.milliseconds) }
            text.reserve(bytes.count - place.upperBound)
            text.append(UnsafeBufferPointer(rebasing: bytes[place.upperBound...]))
        }
        return text.finish()
    }
}
