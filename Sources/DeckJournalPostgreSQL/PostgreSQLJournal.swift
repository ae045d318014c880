public import DeckJournal
import Foundation

/// A journal in a PostgreSQL database.
///
/// A change completes when the server has committed it. What that promises depends on the server's settings, such as
/// `synchronous_commit` and `synchronous_standby_names`. One thread makes changes in groups, other threads read.
public final class PostgreSQLJournal: Journal {
    let writer: Writer
    let readers: Readers
    private let listener: Listener
    private let identity: JournalIdentity
    private let closing = Closing()

    /// Connects to a database, and creates the tables if there are none.
    ///
    /// - Parameters:
    ///   - address: a connection string or URI of libpq. Several hosts and `target_session_attrs` are possible, and
    ///   so are the files and the environment variables that libpq reads. The tables are in the schema `deckd`; another one
    ///   can be named with `options=-csearch_path=NAME`.
    ///   - place: the place of the database among those of a ``PartitionedJournal``. It must not change while the database has data.
    ///   - first: the first of those databases, with which the others are compared; nil: this is the first.
    public init(
        address: String,
        options: JournalOptions = JournalOptions(),
        place: DatabasePlace = .only,
        after first: PostgreSQLJournal? = nil
    ) throws(JournalError) {
        let target = Connection.Target(address: address)
        if let problem = target.problem { throw .unavailable(problem) }
        let (tally, channel): (Tally, String)
        let connection: Connection
        do {
            connection = try Connection(target)
            try Schema.prepare(connection, place, of: first?.identity)
            tally = try Tally(connection.run([Tally.reading])[0])
            channel = try Schema.channel(connection)
            identity = try Schema.journal(connection, tally)
            _ = try connection.run(Transaction.limits.map { Statement($0, isRepeated: false) })
        } catch {
            throw JournalError(error)
        }
        let node = String(UInt64.random(in: .min ... .max), radix: 36)
        let lead = Lead()
        let writer = Writer(target, leading: lead, options, tally, node: node, channel: channel)
        let readers = Readers(target, following: lead)
        listener = Listener(
            target,
            following: lead,
            channel: channel,
            node: node,
            hear: writer.hear,
            commitsHeard: { readers.read({ _ in }) { try writer.readTally($0) } },
            interrupted: writer.reportInterruption
        )
        (self.writer, self.readers) = (writer, readers)
        start(FirstConnection(connection))
    }

    /// Why an address cannot be used, without the user and the password; nil: it can be used.
    public static func problem(of address: String) -> String? {
        Connection.Target(address: address).problem
    }

    /// A database's address without the user and the password, for messages.
    public static func name(of address: String) -> String {
        Connection.Target(address: address).name
    }

    deinit {
        writer.queue.close()
    }

    /// Starts the threads that write and listen. They retain what they need, and not the journal, so that a journal that is
    /// released closes.
    private func start(_ first: FirstConnection) {
        let writer = writer
        let readers = readers
        let closing = closing
        let listener = listener
        let listening = DispatchGroup()
        startThread("journal news", in: listening) { listener.run() }
        listener.waitUntilReady()
        startThread("journal writer") {
            writer.run(first)
            listener.stop()
            listening.wait()
            readers.close()
            closing.finish()
        }
    }

    /// Completes everything that was accepted, and then closes.
    public func close(completion: @escaping JournalCompletion<Void>) {
        closing.wait(completion)
        writer.queue.close()
    }

    /// Reads the counts if the last change was saved. Otherwise, and before the first change, writes test data. Fails if the clocks of
    /// this machine and of the server differ too much.
    public func check(completion: @escaping JournalCompletion<Void>) {
        let clock = writer.clock
        let finish: JournalCompletion<Void> = { result in completion(result.flatMap { clock.finding }) }
        guard writer.activity.isWritable else { return tryWriting(finish) }
        counts { finish($0.map { _ in }) }
    }

    /// Measurements since the journal was opened.
    public var statistics: JournalStatistics {
        var statistics = JournalStatistics()
        writer.measure(&statistics)
        listener.measure(&statistics)
        return statistics
    }

    /// The generation of the database after the last change of this node.
    public func generation(of database: Int) -> Int { writer.generation }

    /// How far the changes of other nodes are known.
    public func newsCoverage(of database: Int) -> NewsCoverage? {
        var coverage = listener.coverage
        if let loss = writer.lastLoss { coverage.since = max(coverage.since, loss) }
        return coverage
    }

    /// Asks the other nodes for previews of a session.
    public func requestPreview(of id: String, _ request: UInt64) {
        listener.send(.previewRequested(session: id, request: request))
    }

    /// Sends a preview to the other nodes. One of more than 256 KiB is not sent.
    public func send(_ preview: SessionPreview, of id: String) {
        listener.send(.preview(session: id, preview))
    }
}

extension PostgreSQLJournal: ObservedJournal {
    package var activity: JournalActivity { writer.activity }
}
