import Logging

/// How the lines of the log are written.
public enum LogFormat: String, Sendable, CaseIterable {
    /// For people: time, level, label, `name=value` for what is known besides, and the message.
    case text
    /// For programs: an object with `time`, `level`, `label` and `message`, and a member for what is known besides.
    case json

    /// One line with its end. Whatever the values hold, it is one line.
    ///
    /// - Parameter write: adds what is known besides the message.
    func line(
        _ level: Logger.Level,
        _ label: String,
        _ message: String,
        _ write: (inout LogMembers) -> Void
    ) -> [UInt8] {
        switch self {
        case .json: LogMembers.json(level, label, message, write)
        case .text: LogMembers.text(level, label, message, write)
        }
    }
}
