public import DeckEngine
public import DeckWire
internal import Locking

/// What readers of a session at rest share: its entity tag, and its frame as it was written for one of them. A client that polls
/// gets the same ones again and again.
public final class Rest: Sendable {
    /// From this time on, the session is at rest until its next change.
    public let start: Instant
    /// The entity tag.
    public let tag: String
    private let frame: (writer: FrameWriter, text: FrameText)?

    /// A longer frame is not saved.
    private static let mostBytes = 4_096

    /// A rest without a frame.
    public convenience init(from start: Instant, tag: String) {
        self.init(from: start, tag: tag, frame: nil)
    }

    private init(from start: Instant, tag: String, frame: (FrameWriter, FrameText)?) {
        self.start = start
        self.tag = tag
        self.frame = frame
    }

    /// The same rest, known from an earlier time on.
    public func starting(at time: Instant) -> Rest {
        Rest(from: time, tag: tag, frame: frame)
    }

    /// The frame at a time at which the session is at rest; nil: it was not written with the members and extras that a writer writes.
    public func frame(at time: Instant, asBy writer: FrameWriter) -> WrittenBytes? {
        guard let frame, frame.writer.hasMembers(of: writer) else { return nil }
        return frame.text.bytes(at: time)
    }

    /// The same rest with the frame that a writer has written; nil: this one has a frame, or the new one is too long to be saved.
    ///
    /// - Parameter writer: must write everything that it is asked for, and not only what a player can read.
    public func adding(_ text: FrameText, writtenBy writer: FrameWriter) -> Rest? {
        guard frame == nil, text.byteCount <= Self.mostBytes else { return nil }
        return Rest(from: start, tag: tag, frame: (writer, text))
    }
}

extension HostedSession {
    /// Saves the rest of a state for later readers, if the session is still in that state. While commands wait there is no rest: they
    /// are applied for each frame again.
    public func save(_ rest: Rest, of state: State) {
        guard state.session.queuedCount == 0 else { return }
        inside.withLock { inside in
            guard inside.state.shared.isIdentical(to: state.shared) else { return }
            inside.state.rest = rest
        }
    }
}
