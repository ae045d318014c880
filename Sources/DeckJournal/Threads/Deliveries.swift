internal import Dispatch

/// The thread that calls completions and observers, so that these do not hold up the thread that writes. It calls them in the
/// order in which they are delivered.
package final class Deliveries: Sendable {
    /// A call of a completion with its result, or of observers.
    package typealias Delivery = @Sendable () -> Void

    private let inbox = Inbox<[Delivery]>()
    private let running = DispatchGroup()

    package init() {
        startThread("completions", in: running) { [inbox] in
            while let batches = inbox.take(atMost: 1, bytes: .max) {
                for delivery in batches.joined() { delivery() }
            }
        }
    }

    deinit {
        // The thread has only the inbox, so it would wait forever.
        inbox.close()
    }

    package func deliver(_ deliveries: [Delivery]) {
        guard !deliveries.isEmpty else { return }
        // The inbox has no limit, and only `close` closes it.
        try? inbox.put(deliveries, bytes: 0)
    }

    /// Calls what waits, and stops. A delivery must not call this.
    package func close() {
        inbox.close()
        running.wait()
    }
}
