/// The last number of each kind that a session has given out.
public struct SessionNumbers: Sendable, Hashable {
    /// The version.
    public var version: Int
    /// The number of the last notification; 0 if there was none.
    public var notification: Int
    /// The number of the last verdict; 0 if there was none.
    public var verdict: Int

    /// Creates numbers.
    public init(version: Int, notification: Int, verdict: Int) {
        self.version = version
        self.notification = notification
        self.verdict = verdict
    }
}
