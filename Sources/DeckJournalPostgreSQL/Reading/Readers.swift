import DeckJournal
import Foundation
import Locking

/// The threads that read, each with its own connection, so that they do not wait for the thread that writes.
final class Readers: Sendable {
    private typealias Job = @Sendable (Link) -> Void

    private static let threadCount = 2
    /// A query ends before this node gives up, so that the server runs none without a reader.
    private static let limits = ["SET statement_timeout = '4500ms'", "SET lock_timeout = '4s'"]

    private let inbox = Inbox<Job>(maximumCount: 65_536)
    private let running = DispatchGroup()

    init(_ target: Connection.Target, following lead: Lead) {
        for _ in 0..<Self.threadCount { start(target, following: lead) }
    }

    private func start(_ target: Connection.Target, following lead: Lead) {
        let inbox = inbox
        startThread("journal reader", in: running) {
            let link = Link(target, preparation: Self.limits, follows: lead)
            while let jobs = inbox.take(atMost: 1, bytes: .max) { for job in jobs { job(link) } }
        }
    }

    /// Reads, and completes with the result. A connection that was lost is made again, once.
    func read<Value: Sendable>(
        _ completion: @escaping JournalCompletion<Value>,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) {
        let job: Job = { link in
            completion(Result { try link.read(body) }.mapError { JournalError($0) })
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
