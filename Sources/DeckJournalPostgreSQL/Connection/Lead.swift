import Locking

/// Which server the connections of a journal use: that of the writer, because only a primary takes changes. If the writer connects
/// again, it may reach another server. The other connections follow it, because a former primary could answer reads for ever.
final class Lead: Sendable {
    private let connections = Lock(0)

    /// How often the writer has connected again to a server that takes changes.
    var number: Int { connections.withLock { $0 } }

    /// The writer has connected again to a server that takes changes.
    func change() {
        connections.withLock { $0 += 1 }
    }
}
