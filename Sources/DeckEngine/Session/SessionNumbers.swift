/// The last number of each kind that a session has given out.
public struct SessionNumbers: Sendable, Hashable {
    /// The version.
    public var version: SerialNumber
    /// The number of the last notification; 0 if there was none.
    public var notification: SerialNumber
    /// The number of the last verdict; 0 if there was none.
    public var verdict: SerialNumber

    /// Creates numbers.
    public init(version: SerialNumber = 0, notification: SerialNumber = 0, verdict: SerialNumber = 0) {
        self.version = version
        self.notification = notification
        self.verdict = verdict
    }
}
