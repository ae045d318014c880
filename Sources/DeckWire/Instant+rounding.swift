public import DeckEngine

extension Instant {
    /// The moment as answers write it: rounded to six decimals of a millisecond.
    ///
    /// Whatever becomes a session's time is rounded first, so that the time in an answer is the session's own: rounded down
    /// when it is written, it would lie before the event that it is the time of.
    public var roundedToNanoseconds: Instant {
        let whole = milliseconds.rounded(.towardZero)
        // Below 2^33 every step is exact but for the last, which gives the double that is nearest to the decimal number. From
        // there on the next double is further away than a millionth.
        guard whole.magnitude < 0x1p33 else { return self }
        let millionths = ((milliseconds - whole) * 1_000_000).rounded()
        return Instant((whole * 1_000_000 + millionths) / 1_000_000)
    }
}
