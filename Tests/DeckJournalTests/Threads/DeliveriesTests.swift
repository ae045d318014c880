import DeckJournal
import Foundation
import JournalTesting
import Locking
import Testing

@Suite struct DeliveriesTests {
    /// A journal that cannot be opened drops them.
    @Test func theThreadEndsIfTheyAreDropped() async throws {
        let thread = Lock<String?>(nil)
        var deliveries: Deliveries? = Deliveries()
        deliveries?.deliver([
            {
                let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
                thread.withLock { $0 = path }
            }
        ])
        #expect(await eventually { thread.withLock { $0 } != nil })
        let path = "/proc/\(try #require(thread.withLock { $0 }))"
        #expect(FileManager.default.fileExists(atPath: path))
        deliveries = nil
        #expect(await eventually { !FileManager.default.fileExists(atPath: path) })
    }
}
