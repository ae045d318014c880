/// Hands the connection with which a journal was opened over to the thread that writes.
///
/// Unchecked because a connection is no value that several threads may use: the thread that has opened it does not touch it any more,
/// and only one other takes it.
final class FirstConnection: @unchecked Sendable {
    private var connection: Connection?

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// The connection, once.
    func take() -> Connection? {
        defer { connection = nil }
        return connection
    }
}
