import Foundation
import Testing

/// How long an honest client waits for a server while others attack it.
///
/// A busy machine delays everything. So what is judged is the processor time that a thread of the server uses during one wait:
/// a client that must wait for a large request waits for all of its processor time.
struct LongestWait {
    private let server: RunningServer
    private(set) var milliseconds = 0.0
    /// The most processor time that one thread has used during one wait.
    private(set) var processorMilliseconds = 0.0

    init(for server: RunningServer) {
        self.server = server
    }

    mutating func measure(_ request: () throws -> Void) rethrows {
        let (before, start) = (server.threadMilliseconds, ContinuousClock.now)
        try request()
        milliseconds = max(milliseconds, (ContinuousClock.now - start) / .milliseconds(1))
        for (thread, used) in server.threadMilliseconds {
            processorMilliseconds = max(processorMilliseconds, used - before[thread, default: 0])
        }
        // Otherwise the system does not count the time of threads, and nothing would be judged.
        #expect(processorMilliseconds > 0)
    }
}
