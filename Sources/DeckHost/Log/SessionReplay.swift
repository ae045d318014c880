internal import DeckEngine
internal import DeckWire

/// Plays a session's log again, line by line, and writes the frames that were served.
public struct SessionReplay {
    private var session = LoggedSession()

    /// A replay before its first line.
    public init() {}

    /// Plays one line, without its line feed.
    ///
    /// - Returns: the frame after it, as JSON.
    /// - Throws: the first mistake in the line.
    public mutating func play(_ text: [UInt8]) throws(ReplayError) -> [UInt8] {
        _ = try session.play(text)
        var json = JSONWriter(capacity: 2048)
        if let engine = session.state?.session {
            FrameWriter(session: session.id).write(engine, at: engine.now, to: &json)
        }
        return json.bytes
    }
}

/// Why a log cannot be played.
public struct ReplayError: Error, Sendable, CustomStringConvertible {
    /// The line, counted from 1.
    public var line: Int
    /// The reason.
    public var reason: String

    init(line: Int, _ error: WireError) {
        let issue = error.issue
        self.line = line
        reason = "\(issue.pointer.isEmpty ? "the line" : issue.pointer) \(issue.detail)"
    }

    /// The line and the reason in one sentence.
    public var description: String { "line \(line): \(reason)" }
}

extension HostError {
    static func unreadable(_ error: ReplayError) -> HostError {
        .unreadable("The session's log cannot be read: \(error).")
    }
}
