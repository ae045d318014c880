import DeckJournal
import Foundation

/// The threads that read the file, each with its own connection, so that they do not wait for the thread that writes.
final class Readers: Sendable {
    typealias Job = @Sendable (Connection) -> Void

    private static let threadCount = 2

    private let inbox = Inbox<Job>(maximumCount: 65_536)
    private let running = DispatchGroup()
    private let path: String
    private let gate: ReaderGate
    private let noticeDamage: @Sendable (JournalError) -> Void

    /// - Parameters:
    ///   - gate: can hold the reads back.
    ///   - noticeDamage: is called when the data that was read is damaged.
    init(
        of file: JournalFile,
        through gate: ReaderGate,
        noticeDamage: @escaping @Sendable (JournalError) -> Void
    ) throws(JournalError) {
        path = file.path
        self.gate = gate
        self.noticeDamage = noticeDamage
        var connections: [Connection] = []
        for _ in 0..<Self.threadCount { connections.append(try file.openForReading()) }
        for connection in connections { start(connection) }
    }

    private func start(_ connection: Connection) {
        let inbox = inbox
        startThread("journal reader", in: running) {
            while let jobs = inbox.take(atMost: 1, bytes: .max) { for job in jobs { job(connection) } }
            try? connection.close()
        }
    }

    /// Reads in one transaction, and completes with the result.
    func read<Value: Sendable>(
        _ completion: @escaping JournalCompletion<Value>,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) {
        let path = path
        let noticeDamage = noticeDamage
        let gate = gate
        let job: Job = { db in
            let result: Result<Value, JournalError>
            do {
                result = .success(try gate.pass { Result { try db.snapshot { try body(db) } } }.get())
            } catch {
                let error = JournalError(error, in: path)
                if error.tellsOfDamage { noticeDamage(error) }
                result = .failure(error)
            }
            completion(result)
        }
        do {
            try inbox.put(job, bytes: 0)
        } catch {
            completion(.failure(error))
        }
    }

    /// Completes the accepted reads, and closes.
    func close() {
        inbox.close()
        running.wait()
    }
}
