public import Logging

/// A log handler that writes lines to a ``LogOutput``.
public struct LineLogHandler: LogHandler {
    /// The lowest level that is logged.
    public var logLevel = Logger.Level.info
    /// Metadata of every line.
    public var metadata: Logger.Metadata = [:]
    /// Adds metadata of the task that logs.
    public var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let output: LogOutput

    /// - Parameters:
    ///   - label: the part of the program that logs.
    ///   - output: gets the lines.
    public init(label: String, output: LogOutput) {
        self.label = label
        self.output = output
    }

    /// A value of the metadata of every line.
    public subscript(metadataKey name: String) -> Logger.MetadataValue? {
        get { metadata[name] }
        set { metadata[name] = newValue }
    }

    /// Writes a line. A critical message may be the last one of the process, so the call waits until it is written.
    public func log(event: LogEvent) {
        var values = metadata
        if let metadataProvider { values.merge(metadataProvider.get()) { $1 } }
        if let more = event.metadata { values.merge(more) { $1 } }
        if let error = event.error { values["error"] = "\(error)" }
        // The line is written before a lock is taken, because the description of a value is code that may log, too.
        var line = LogLine(output.format)
        line.write(event.level, label, "\(event.message)") { line in
            for (name, value) in values.sorted(by: { $0.key < $1.key }) { line.add(name, value) }
        }
        output.write(line)
        if event.level == .critical { output.flush() }
    }
}
