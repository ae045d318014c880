public import Logging

/// Has what is logged written as lines of a ``LogOutput``.
public struct LineLogHandler: LogHandler {
    /// What is below it is left out.
    public var logLevel = Logger.Level.info
    /// What every line tells.
    public var metadata: Logger.Metadata = [:]
    /// Adds what belongs to the task that logs.
    public var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let output: LogOutput

    /// - Parameters:
    ///   - label: which part of the program it is for.
    ///   - output: where the lines go.
    public init(label: String, output: LogOutput) {
        self.label = label
        self.output = output
    }

    /// One of the values that every line tells.
    public subscript(metadataKey name: String) -> Logger.MetadataValue? {
        get { metadata[name] }
        set { metadata[name] = newValue }
    }

    /// Writes a line. What is critical may be the last thing that happens, so it is waited for.
    public func log(event: LogEvent) {
        var values = metadata
        if let metadataProvider { values.merge(metadataProvider.get()) { $1 } }
        if let more = event.metadata { values.merge(more) { $1 } }
        if let error = event.error { values["error"] = "\(error)" }
        let line = output.format.line(event.level, label, "\(event.message)") { members in
            for (name, value) in values.sorted(by: { $0.key < $1.key }) { members.add(name, value) }
        }
        output.write(line)
        if event.level == .critical { output.flush() }
    }
}
