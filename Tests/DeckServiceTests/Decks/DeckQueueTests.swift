import Locking
import Testing

@testable import DeckService

@Suite struct DeckQueueTests {
    @Test func jobsFollowEachOther() async {
        let queue = DeckQueue()
        let order = Lock<[Int]>([])
        await withCheckedContinuation { continuation in
            for number in 0..<100 {
                queue.run("deck") { done in
                    order.withLock { $0.append(number) }
                    if number == 99 { continuation.resume() }
                    done()
                }
            }
        }
        #expect(order.withLock { $0 } == Array(0..<100))
    }

    @Test func manyJobsThatEndAtOnceNeedNoStack() async {
        let queue = DeckQueue()
        let first = Lock<(@Sendable () -> Void)?>(nil)
        queue.run("deck") { done in first.withLock { $0 = done } }
        let count = 20_000
        await withCheckedContinuation { continuation in
            for number in 1...count {
                queue.run("deck") { done in
                    if number == count { continuation.resume() }
                    done()
                }
            }
            first.withLock { $0 }?()
        }
    }
}
