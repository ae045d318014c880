internal import Locking

extension HostedSession {
    /// Takes events out of the session's limit, whatever will become of them.
    ///
    /// - Returns: what is left of the limit; nil: there is none.
    /// - Throws: `rateLimited` if there have been too many.
    public func take(_ count: Int, of limit: EventLimit) throws(HostError) -> TokenBucket.Left? {
        guard limit.perSecond > 0 else { return nil }
        let now = ContinuousClock.now
        let (isGranted, left) = bucket.withLock { bucket in
            var taken = bucket ?? TokenBucket(limit, at: now)
            defer { bucket = taken }
            return taken.take(count, of: limit, at: now)
        }
        guard isGranted else { throw .rateLimited(limit, left) }
        return left
    }
}
