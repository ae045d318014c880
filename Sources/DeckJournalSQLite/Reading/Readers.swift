import DeckJournal
import Foundation
import GRDB

/// The threads that read the file, each over a connection of its own, so that they do not wait for what is written.
final class Readers: Sendable {
    typealias Job = @Sendable (DatabaseQueue) -> Void

    private static let threadCount = 2

    private let inbox = Inbox<Job>(maximumCount: 65_536, maximumBytes: .max)
    private let running = DispatchGroup()
    private let path: String
    private let noticeDamage: @Sendable (JournalError) -> Void

    /// - Parameter noticeDamage: is told when what was read is damaged.
    init(of file: JournalFile, noticeDamage: @escaping @Sendable (JournalError) -> Void) throws(JournalError) {
        path = file.path
        self.noticeDamage = noticeDamage
        var queues: [DatabaseQueue] = []
        for _ in 0..<Self.threadCount { queues.append(try file.openForReading()) }
        for queue in queues { start(queue) }
    }

    private func start(_ queue: DatabaseQueue) {
        running.enter()
        let inbox = inbox
        let running = running
        let thread = Thread {
            while let job = inbox.take(atMost: 1, bytes: .max).first { job(queue) }
            try? queue.close()
            running.leave()
        }
        thread.name = "journal reader"
        thread.start()
    }

    /// Reads in one transaction, and completes with what was read.
    func read<Value: Sendable>(
        _ completion: @escaping JournalCompletion<Value>,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) {
        let path = path
        let noticeDamage = noticeDamage
        let job: Job = { queue in
            let result: Result<Value, JournalError>
            do {
                result = .success(try queue.read(body))
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

    /// Completes what was accepted, and closes.
    func close() {
        inbox.close()
        running.wait()
    }
}
