import DeckJournal

/// A connection that is made again when it was lost. After an attempt that failed, the next one is made after a pause, which
/// grows and is random, so that the nodes of a cluster do not all come at once.
///
/// An attempt has succeeded when the connection has done what it is for: a server can accept connections and refuse everything else.
final class Link {
    private static let shortestPause = Duration.milliseconds(50)
    private static let longestPause = Duration.seconds(5)

    private let target: Connection.Target
    /// The statements that each new connection runs first.
    private let preparation: [Statement]
    /// What the connection follows, and its number when the connection was made.
    private let followed: Lead?
    private var number = 0
    /// What follows the connection.
    private let lead: Lead?
    private var connection: Connection?
    /// Whether the connection has done what it is for.
    private var isProven: Bool
    private var pause = shortestPause
    private var nextAttempt = ContinuousClock.now
    private var lastFailure: (any Error)?

    /// - Parameter first: a proven connection, with which the preparation was run; nil: there is none yet.
    init(
        _ target: Connection.Target,
        preparation: [String] = [],
        leads lead: Lead? = nil,
        follows followed: Lead? = nil,
        first: Connection? = nil
    ) {
        self.target = target
        connection = first
        isProven = first != nil
        self.lead = lead
        self.followed = followed
        self.preparation = preparation.map { Statement($0, isRepeated: false) }
    }

    /// Whether the connection must be replaced, because the one that it follows was.
    var isOutdated: Bool { followed.map { $0.number != number } ?? false }

    /// The connection, made if there is none.
    func connected() throws -> Connection {
        if let connection, !connection.isLost, !isOutdated { return connection }
        if !isOutdated { abandon(after: Self.loss) }
        connection = nil
        if let lastFailure, !isOutdated, .now < nextAttempt { throw lastFailure }
        do {
            // If it changes meanwhile, the connection is replaced again.
            number = followed?.number ?? 0
            let made = try Connection(target)
            if !preparation.isEmpty { _ = try made.run(preparation) }
            connection = made
            isProven = false
            lastFailure = nil
            return made
        } catch {
            countFailure(error)
            throw error
        }
    }

    /// The connection has done what it is for.
    func prove() {
        guard !isProven else { return }
        isProven = true
        pause = Self.shortestPause
        lead?.change()
    }

    /// Closes the connection, so that the next one may be to another server. If it was not proven, its attempt has failed.
    func abandon(after failure: any Error) {
        guard connection != nil else { return }
        connection = nil
        if !isProven { countFailure(failure) }
    }

    private static let loss = DatabaseFailure(code: "", message: "the connection was lost", isConnectionLost: true)

    private func countFailure(_ failure: any Error) {
        lastFailure = failure
        nextAttempt = .now + pause * Double.random(in: 0.5...1)
        pause = min(pause * 2, Self.longestPause)
    }

    /// The time until the next attempt to connect.
    var pauseBeforeNextAttempt: Duration {
        max(.zero, nextAttempt - .now)
    }

    /// Whether the last attempt to connect has succeeded.
    var mayReconnect: Bool { lastFailure == nil }

    /// Reads with the connection. If it was lost meanwhile, reads again with a new one.
    func read<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        do {
            return try attempt(body)
        } catch let failure as DatabaseFailure where failure.isConnectionLost && mayReconnect {
            return try attempt(body)
        }
    }

    private func attempt<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        let connection = try connected()
        do {
            let value = try body(connection)
            prove()
            return value
        } catch {
            // A read may have started a transaction.
            if !connection.isLost, connection.isInTransaction { _ = try? connection.run("ROLLBACK") }
            throw error
        }
    }
}
