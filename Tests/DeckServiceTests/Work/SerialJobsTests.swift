import Locking
import Testing

@testable import DeckService

@Suite struct SerialJobsTests {
    @Test func jobsFollowEachOther() async {
        let jobs = SerialJobs()
        let order = Lock<[Int]>([])
        await withCheckedContinuation { continuation in
            for number in 0..<100 {
                jobs.run(in: "deck") { done in
                    order.withLock { $0.append(number) }
                    if number == 99 { continuation.resume() }
                    done()
                }
            }
        }
        #expect(order.withLock { $0 } == Array(0..<100))
    }

    @Test func manyJobsThatEndAtOnceNeedNoStack() async {
        let jobs = SerialJobs()
        let first = Lock<(@Sendable () -> Void)?>(nil)
        jobs.run(in: "deck") { done in first.withLock { $0 = done } }
        let count = 20_000
        await withCheckedContinuation { continuation in
            for number in 1...count {
                jobs.run(in: "deck") { done in
                    if number == count { continuation.resume() }
                    done()
                }
            }
            first.withLock { $0 }?()
        }
    }
}
