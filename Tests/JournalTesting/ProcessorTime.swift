import Foundation

/// The processor time that the calling thread needs for a body: the least of five runs, because the first ones can also fill
/// caches and allocate memory.
package func leastProcessorTime(_ body: () throws -> Void) rethrows -> Duration {
    func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    var least = Duration.seconds(.max / 4)
    for _ in 0..<5 {
        let start = now()
        try body()
        least = min(least, now() - start)
    }
    return least
}
