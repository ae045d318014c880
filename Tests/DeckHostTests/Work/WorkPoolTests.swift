import Dispatch
import Glibc
import Synchronization
import Testing

@testable import DeckHost

struct WorkPoolTests {
    /// The names of the jobs, in the order in which they were done.
    private final class Done: Sendable {
        private let names = Mutex<[String]>([])

        func add(_ name: String) { names.withLock { $0.append(name) } }

        var all: [String] { names.withLock { $0 } }
    }

    @Test func lanesTakeTurnsAndKeepTheirOrder() throws {
        let pool = WorkPool(threads: 1)
        let (begin, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let done = Done()
        try pool.submit(to: "a") { begin.wait() }
        for name in ["a1", "a2", "a3"] { try pool.submit(to: "a") { done.add(name) } }
        for name in ["b1", "b2"] { try pool.submit(to: "b") { done.add(name) } }
        try pool.submit(to: "c") { done.add("c1") }
        begin.signal()
        while pool.waitingCount > 0 { usleep(1000) }
        try pool.submit(to: "a") { end.signal() }
        #expect(end.wait(timeout: .now() + 10) == .success)
        #expect(done.all.filter { $0.hasPrefix("a") } == ["a1", "a2", "a3"])
        #expect(done.all.filter { $0.hasPrefix("b") } == ["b1", "b2"])
        // A lane with one job is done before a lane with many.
        #expect(try #require(done.all.firstIndex(of: "c1")) < #require(done.all.firstIndex(of: "a2")))
        #expect(done.all.last == "a3")
    }

    @Test func aLaneHasOneJobAtATime() throws {
        let pool = WorkPool(threads: 4)
        let running = Atomic(0)
        let most = Atomic(0)
        let left = DispatchSemaphore(value: 0)
        for _ in 0..<100 {
            try pool.submit(to: "a") {
                let now = running.add(1, ordering: .relaxed).newValue
                if now > most.load(ordering: .relaxed) { most.store(now, ordering: .relaxed) }
                usleep(100)
                running.subtract(1, ordering: .relaxed)
                left.signal()
            }
        }
        for _ in 0..<100 { #expect(left.wait(timeout: .now() + 10) == .success) }
        #expect(most.load(ordering: .relaxed) == 1)
    }

    @Test func tooManyJobsAreRefused() throws {
        let pool = WorkPool(threads: 1)
        let begin = DispatchSemaphore(value: 0)
        let done = Atomic(0)
        try pool.submit(to: "first") { begin.wait() }
        while pool.waitingCount > 0 { usleep(1000) }
        for number in 0..<1024 { try pool.submit(to: "\(number)") { done.add(1, ordering: .relaxed) } }
        #expect(throws: HostError.overloaded) { try pool.submit(to: "last") {} }
        begin.signal()
        while done.load(ordering: .relaxed) < 1024 { usleep(1000) }
        try pool.submit(to: "last") { done.add(1, ordering: .relaxed) }
        while done.load(ordering: .relaxed) < 1025 { usleep(1000) }
    }
}
