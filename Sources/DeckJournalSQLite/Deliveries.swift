import Foundation

/// The threads that call completions, so that these do not hold up the thread that writes. Completions of one session
/// are called in order.
final class Deliveries: Sendable {
    /// A completion with its result.
    struct Delivery: Sendable {
        /// The id of the session, or any other string whose deliveries must stay in order.
        var key: String
        var complete: @Sendable () -> Void
    }

    private static let threadCount = 2

    private let inboxes: [Inbox<[Delivery]>]
    private let running = DispatchGroup()

    init() {
        inboxes = (0..<Self.threadCount).map { _ in Inbox() }
        for inbox in inboxes { start(inbox) }
    }

    private func start(_ inbox: Inbox<[Delivery]>) {
        running.enter()
        let running = running
        let thread = Thread {
            while let batches = inbox.take(atMost: 1, bytes: .max) {
                for delivery in batches.joined() { delivery.complete() }
            }
            running.leave()
        }
        thread.name = "journal delivery"
        thread.start()
    }

    func deliver(_ deliveries: [Delivery]) {
        var batches = inboxes.map { _ in [Delivery]() }
        for delivery in deliveries {
            batches[Int(UInt(bitPattern: delivery.key.hashValue) % UInt(inboxes.count))].append(delivery)
        }
        for (inbox, batch) in zip(inboxes, batches) where !batch.isEmpty {
            // The inbox has no limit, and only `close` closes it.
            try? inbox.put(batch, bytes: 0)
        }
    }

    /// Calls the completions that wait, and stops. It must not be called by a completion.
    func close() {
        for inbox in inboxes { inbox.close() }
        running.wait()
    }
}
