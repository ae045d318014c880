import Foundation
import JournalTesting
import Locking
import Testing

@Suite struct ConditionTests {
    @Test func aWaitEndsAtItsDeadline() {
        let condition = Condition()
        condition.withLock {
            for time in [Duration.seconds(-1), .zero, .milliseconds(20), .milliseconds(1100)] {
                let start = ContinuousClock.now
                while condition.wait(until: start + time) {}
                let duration = ContinuousClock.now - start
                // A busy machine may run the thread late.
                #expect(duration >= time && duration < time + .seconds(30), "\(time)")
            }
        }
    }

    @Test func aSignalEndsAWait() async {
        let condition = Condition()
        let results = Lock<[Bool]>([])
        Thread.detachNewThread {
            condition.withLock {
                results.withLock { $0.append(true) }
                let isInTime = condition.wait(until: .now + .seconds(60))
                condition.wait()
                results.withLock { $0.append(isInTime) }
            }
        }
        #expect(await eventually { results.withLock { !$0.isEmpty } })
        let isWoken = await eventually {
            condition.withLock { condition.broadcast() }
            return results.withLock { $0.count == 2 }
        }
        #expect(isWoken && results.withLock { $0 } == [true, true])
    }
}
