internal import Foundation

/// The threads that call completions, so that these do not hold up the thread that writes. Completions of one session
/// are called in order.
package final class Deliveries: Sendable {
    /// A completion with its result.
    package struct Delivery: Sendable {
        /// The id of the session, or any other string whose deliveries must stay in order.
        package var key: String
        package var complete: @Sendable () -> Void

        package init(key: String, complete: @escaping @Sendable () -> Void) {
            self.key = key
            self.complete = complete
        }
    }

    private static let threadCount = 2

    private let inboxes: [Inbox<[Delivery]>]
    private let running = DispatchGroup()

    package init() {
        inboxes = (0..<Self.threadCount).map { _ in Inbox() }
        for inbox in inboxes { start(inbox) }
    }

    private func start(_ inbox: Inbox<[Delivery]>) {
        startThread("completions", in: running) {
            while let batches = inbox.take(atMost: 1, bytes: .max) {
                for delivery in batches.joined() { delivery.complete() }
            }
        }
    }

    package func deliver(_ deliveries: [Delivery]) {
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
    package func close() {
        for inbox in inboxes { inbox.close() }
        running.wait()
    }
}
