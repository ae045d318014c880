public import DeckEngine
public import DeckWire
internal import Locking

/// The frame of a session at rest, as it was written for a client. A client that polls gets the same one again and again.
public final class RestingFrame: Sendable {
    /// From this time on, the session is at rest until its next change.
    public let start: Instant
    /// The entity tag.
    public let tag: String
    private let writer: FrameWriter
    private let text: FrameText

    /// A longer frame is not saved.
    private static let mostBytes = 4_096

    /// Writes the frame of a session that is at rest at its own time.
    ///
    /// - Parameter writer: must write everything that it is asked for, and not only what a player can read.
    public init(of session: DeckSession, tag: String, _ writer: FrameWriter) {
        start = session.now
        self.tag = tag
        self.writer = writer
        text = writer.text(of: session)
    }

    /// Whether it has the members and extras that a writer writes.
    public func isWritten(asBy writer: FrameWriter) -> Bool {
        self.writer.hasMembers(of: writer)
    }

    /// The frame at a time at which the session is at rest, too. It can be before ``start``.
    public func bytes(at time: Instant) -> WrittenBytes {
        text.bytes(at: time)
    }

    fileprivate var isShort: Bool { text.byteCount <= Self.mostBytes }
}

extension HostedSession {
    /// Saves the frame of a state for later readers, if the session is still in that state.
    public func save(_ frame: RestingFrame, of state: State) {
        guard frame.isShort else { return }
        inside.withLock { inside in
            guard inside.state.shared.isIdentical(to: state.shared) else { return }
            inside.state.resting = frame
        }
    }
}
