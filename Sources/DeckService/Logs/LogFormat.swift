/// The format of the log's lines.
public enum LogFormat: String, Sendable, CaseIterable {
    /// For people: time, level, label, metadata as `name=value`, and the message.
    case text
    /// For programs: an object with `time`, `level`, `label`, `message`, and a member for each value of the metadata.
    case json
}
