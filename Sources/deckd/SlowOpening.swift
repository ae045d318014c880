import Dispatch

/// The opening of data. It can take minutes, because the data are migrated, or because another node migrates them.
enum SlowOpening {
    /// After this time a message says that the opening is not over.
    private static let patience = DispatchTimeInterval.seconds(2)
    private static let message = "opening the data takes long: they are migrated, or another node migrates them"

    /// Opens data.
    ///
    /// - Parameter report: gets the message, on another thread.
    static func run<Value, Failure: Error>(
        reporting report: @escaping @Sendable (String) -> Void,
        _ open: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let reporting = DispatchWorkItem { report(message) }
        DispatchQueue.global().asyncAfter(deadline: .now() + patience, execute: reporting)
        defer { reporting.cancel() }
        return try open()
    }
}
