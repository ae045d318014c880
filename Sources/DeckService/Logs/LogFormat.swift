import Logging

/// The format of the log's lines.
public enum LogFormat: String, Sendable, CaseIterable {
    /// For people: time, level, label, metadata as `name=value`, and the message.
    case text
    /// For programs: an object with `time`, `level`, `label`, `message`, and a member for each value of the metadata.
    case json

    /// One line with its line break, whatever the values contain.
    ///
    /// - Parameter write: adds the metadata.
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
