import CPostgreSQL
import DeckJournal
import Glibc

/// A connection to the server, used by one thread. It is always in libpq's pipeline mode: all statements of a call are sent
/// before the first result is read.
final class Connection {
    private let handle: OpaquePointer
    /// The posted statements whose results have not come.
    private var postedCount = 0
    /// The numbers of statements, by which the server knows them, and those that it has prepared.
    private var names: [String: Int] = [:]
    private var prepared: Set<String> = []
    /// The statements that are prepared in the pipeline that is being sent.
    private var sentPreparations: Set<String> = []
    /// The heads of sessions that the last transaction over this connection has left.
    var recentHeads = RecentHeads()

    init(_ target: Target) throws {
        guard let handle = Self.connect(target.parameters) else {
            throw DatabaseFailure(code: "", message: "there is no memory for a connection", isConnectionLost: true)
        }
        self.handle = handle
        guard PQstatus(handle) == CONNECTION_OK else {
            // `deinit` closes the connection.
            let message = oneLine(String(cString: PQerrorMessage(handle)))
            throw DatabaseFailure(code: "", message: message, isConnectionLost: true)
        }
        // Notices are for interactive users.
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        PQenterPipelineMode(handle)
        // A call of libpq that waits for a server that reads nothing has no deadline.
        PQsetnonblocking(handle, 1)
        // Statements are planned once, when a table may have few rows, and are used when it has many. So sequential scans are off.
        // A statement that needs one nevertheless has a huge estimated cost, for which the server would compile it. That takes
        // 200 ms, and running the statement takes less than one.
        let settings = ["SET enable_seqscan = off", "SET jit = off", Self.onlyFirstSchema]
        let path = try run(settings.map { Statement($0, isRepeated: false) })[2].first?.text(0)
        guard path != #""$user""# else {
            let message = "the server has not received the parameter options, which has the schema"
            throw DatabaseFailure(code: "", message: message, isConnectionLost: false)
        }
    }

    /// Makes the search path its first schema, so that tables are not found in, or added to, one after it.
    private static let onlyFirstSchema = """
        SELECT set_config('search_path', quote_ident(
            CASE WHEN name LIKE '"%' THEN trim(both '"' from name) ELSE lower(name) END
        ), false)
        FROM trim(split_part(current_setting('search_path'), ',', 1)) AS name
        """

    deinit {
        PQfinish(handle)
    }

    private static func connect(_ settings: [(name: String, value: String)]) -> OpaquePointer? {
        let texts = settings.flatMap { [strdup($0.name), strdup($0.value)] }
        defer { for text in texts { free(text) } }
        let names = stride(from: 0, to: texts.count, by: 2).map { UnsafePointer(texts[$0]) } + [nil]
        let values = stride(from: 1, to: texts.count, by: 2).map { UnsafePointer(texts[$0]) } + [nil]
        return PQconnectdbParams(names, values, 1)
    }

    /// The server ends the connection after a fatal error, which libpq notices later.
    private var hasEnded = false

    var isLost: Bool { hasEnded || PQstatus(handle) != CONNECTION_OK }

    /// Whether the server is in a transaction that failed or has not ended.
    var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }

    @discardableResult
    func run(_ sql: String, _ values: [Value] = [], within time: Duration = patience) throws -> Rows {
        try run([Statement(sql, values)], within: time)[0]
    }

    /// The longest duration of a round trip. A server that waits for a standby may never answer.
    static let patience = Duration.seconds(5)

    /// Runs statements in one round trip. After one that fails the others are not run. If the results do not come in time, the
    /// connection counts as lost.
    func run(_ statements: [Statement], within time: Duration = patience) throws -> [Rows] {
        let deadline = ContinuousClock.now + time
        var expected: [Expected] = []
        sentPreparations = []
        for statement in statements { expected += try send(statement) }
        guard PQpipelineSync(handle) == 1 else { throw failure() }
        return try results(expected, by: deadline)
    }

    /// The rows of the statements of a pipeline.
    ///
    /// - Parameter expected: the results that lead to them, in the order in which they come.
    private func results(_ expected: [Expected], by deadline: ContinuousClock.Instant) throws -> [Rows] {
        var results: [Rows] = []
        var failure: DatabaseFailure?
        var next = 0
        while let result = try nextResult(by: deadline) {
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                PQclear(result)
                if let failure { throw failure }
                return results
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                switch expected[next] {
                case .preparation(let sql):
                    prepared.insert(sql)
                    PQclear(result)
                case .rows: results.append(Rows(result))
                }
            case PGRES_PIPELINE_ABORTED: PQclear(result)
            default:
                failure = failure ?? self.failure(of: result)
                PQclear(result)
            }
            next += 1
            // The results of a statement end with a null.
            while let more = try nextResult(by: deadline) { PQclear(more) }
            if isLost { break }
        }
        throw failure ?? self.failure()
    }

    private func nextResult(by deadline: ContinuousClock.Instant) throws -> OpaquePointer? {
        while PQisBusy(handle) == 1 {
            var descriptor = awaited
            let milliseconds = max(0, ((deadline - .now) / .milliseconds(1)).rounded(.up))
            guard poll(&descriptor, 1, CInt(milliseconds)) != 0 else {
                hasEnded = true
                throw DatabaseFailure(code: "", message: "the server does not answer", isConnectionLost: true)
            }
            guard PQconsumeInput(handle) == 1 else { throw failure() }
        }
        return PQgetResult(handle)
    }

    /// What the server answers to something that was sent.
    private enum Expected {
        /// A statement is prepared from then on, unless the pipeline is aborted before.
        case preparation(String)
        case rows
    }

    /// What to wait for before results or notifications are read: what the server sends and, while not everything could be sent to
    /// it, room for the rest.
    var awaited: pollfd {
        let isSent = PQflush(handle) == 0
        return pollfd(fd: PQsocket(handle), events: Int16(isSent ? POLLIN : POLLIN | POLLOUT), revents: 0)
    }

    /// Whether results of posted statements have not come.
    var isBusy: Bool { postedCount > 0 }

    /// Sends a statement whose result is not needed. ``notifications()`` throws if it fails.
    func post(_ statement: Statement) throws {
        _ = try send(Statement(statement.sql, statement.values, isRepeated: false))
        guard PQpipelineSync(handle) == 1 else { throw failure() }
        postedCount += 1
    }

    /// The texts of the notifications that have come.
    func notifications() throws -> [String] {
        guard PQconsumeInput(handle) == 1 else { throw failure() }
        while postedCount > 0, PQisBusy(handle) == 0 {
            guard let result = PQgetResult(handle) else { continue }
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC: postedCount -= 1
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK: break
            default: throw failure(of: result)
            }
        }
        var payloads: [String] = []
        while let notification = PQnotifies(handle) {
            payloads.append(String(cString: notification.pointee.extra))
            PQfreemem(notification)
        }
        return payloads
    }

    /// Sends a statement, which the server prepares when it comes for the first time.
    ///
    /// - Returns: the results that it leads to.
    private func send(_ statement: Statement) throws -> [Expected] {
        let (sql, parameters) = (statement.sql, Parameters(statement.values))
        guard statement.isRepeated else {
            let isSent = parameters.withPointers { types, pointers, lengths, formats in
                PQsendQueryParams(handle, sql, CInt(types.count), types, pointers, lengths, formats, 1)
            }
            guard isSent == 1 else { throw failure() }
            return [.rows]
        }
        let (name, preparation) = try prepare(sql, parameters.types)
        let isSent = parameters.withPointers { types, pointers, lengths, formats in
            PQsendQueryPrepared(handle, name, CInt(types.count), pointers, lengths, formats, 1)
        }
        guard isSent == 1 else { throw failure() }
        return preparation + [.rows]
    }

    /// The name of a statement, which is prepared unless it was before.
    private func prepare(_ sql: String, _ types: [Oid]) throws -> (name: String, [Expected]) {
        let number = names[sql] ?? names.count
        names[sql] = number
        let name = "s\(number)"
        guard !prepared.contains(sql), sentPreparations.insert(sql).inserted else { return (name, []) }
        guard PQsendPrepare(handle, name, sql, CInt(types.count), types) == 1 else { throw failure() }
        return (name, [.preparation(sql)])
    }

    private func failure(of result: OpaquePointer) -> DatabaseFailure {
        let code = PQresultErrorField(result, CInt(UInt8(ascii: "C"))).map { String(cString: $0) } ?? ""
        let primary = PQresultErrorField(result, CInt(UInt8(ascii: "M"))).map { String(cString: $0) }
        let message = primary ?? String(cString: PQresultErrorMessage(result))
        let severity = PQresultErrorField(result, CInt(UInt8(ascii: "V"))).map { String(cString: $0) }
        if severity == "FATAL" || severity == "PANIC" { hasEnded = true }
        return DatabaseFailure(code: code, message: oneLine(message), isConnectionLost: isLost)
    }

    private func failure() -> DatabaseFailure {
        DatabaseFailure(code: "", message: oneLine(String(cString: PQerrorMessage(handle))), isConnectionLost: true)
    }
}

/// A string in one line: line breaks and tabs become spaces.
func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ").replacing("\t", with: " ")
}
