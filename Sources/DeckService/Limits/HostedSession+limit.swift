import Locking
import MicroHTTP

extension HostedSession {
    /// Takes events out of the session's limit, whatever will become of them.
    ///
    /// - Returns: what to tell the client of the limit.
    /// - Throws: a problem if there have been too many.
    func take(_ count: Int, of limit: EventLimit) throws(Problem) -> HeaderFields {
        guard limit.perSecond > 0 else { return HeaderFields() }
        let now = ContinuousClock.now
        let (isGranted, left) = bucket.withLock { bucket in
            var taken = bucket ?? TokenBucket(limit, at: now)
            defer { bucket = taken }
            return taken.take(count, of: limit, at: now)
        }
        let fields = [("RateLimit-Policy", limit.policy), ("RateLimit", limit.state(left))]
        guard isGranted else {
            var problem = Problem(.rateLimited, "\(limit.perSecond) events a second are taken from a session.")
            problem.headers = HeaderFields(fields + [("Retry-After", "\(left.seconds)")])
            throw problem
        }
        return HeaderFields(fields)
    }
}
