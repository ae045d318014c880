public import DeckEngine
public import DeckWire
internal import Locking

/// A session at a moment, as one of its streams has shown it. The other streams of the session show the same moment, so that the
/// frame is written once for all of them.
public final class SharedMoment: Sendable {
    /// The time on the session's clock.
    public let time: Instant
    /// When the stream that made it was due to read the session.
    public let due: ContinuousClock.Instant
    /// The notifications with numbers that have come with time after the last event.
    public let coming: [DeckNotification]
    /// Whether something moves.
    public let isMoving: Bool
    /// The frame.
    public let frame: [UInt8]
    private let writer: FrameWriter

    /// Writes the frame of a session.
    public init(of session: DeckSession, at time: Instant, due: ContinuousClock.Instant, _ writer: FrameWriter) {
        var session = session
        coming = session.advance(to: time).filter { $0.sequence != nil }
        isMoving = session.isMoving(at: session.now)
        var json = JSONWriter(capacity: 4096)
        writer.write(session, to: &json)
        frame = json.bytes
        self.time = time
        self.due = due
        self.writer = writer
    }

    /// Whether its frame has what a writer writes.
    public func isWritten(asBy writer: FrameWriter) -> Bool {
        self.writer.hasMembers(of: writer)
    }
}

extension HostedSession {
    /// Saves a moment for the other streams, if the session is still in the state of which it was made.
    public func share(_ moment: SharedMoment, of state: State) {
        inside.withLock { inside in
            guard inside.state.shared.isIdentical(to: state.shared), !inside.watchers.isEmpty else { return }
            inside.state.moment = moment
        }
    }
}
