extension DeckSession {
    /// A copy whose clock stands at `time`, as if only time had passed: queued commands that take effect until then have
    /// taken effect. For a time before `now` it is the session itself.
    ///
    /// All that is shown of a moment is read from one such copy. A frame at a time beside the cards, the labels or the
    /// actions of the session as it is would be of two moments.
    public func advanced(to time: Instant) -> DeckSession {
        var session = self
        _ = session.advance(to: time)
        return session
    }
}
