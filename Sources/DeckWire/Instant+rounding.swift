public import DeckEngine

extension Instant {
    /// The moment rounded to six decimals of a millisecond, as in answers.
    ///
    /// A time is rounded before it becomes the session's, so that the time in an answer is exactly the session's. If it were
    /// rounded down when it is written, it could be before the event.
    public var roundedToNanoseconds: Instant { nearest(plus: 0) }

    /// The first moment from this one on that has six decimals. At the time that is written, what ends at this moment has ended.
    var roundedUpToNanoseconds: Instant {
        let rounded = roundedToNanoseconds
        return rounded < self ? nearest(plus: 1) : rounded
    }

    /// The nearest moment with six decimals, and some millionths of a millisecond later.
    private func nearest(plus more: Double) -> Instant {
        let whole = milliseconds.rounded(.towardZero)
        // Below 2^33 every step is exact except the last, which gives the double that is nearest to the decimal number. From
        // there on the next double is further away than a millionth.
        guard whole.magnitude < 0x1p33 else { return self }
        let millionths = ((milliseconds - whole) * 1_000_000).rounded() + more
        return Instant((whole * 1_000_000 + millionths) / 1_000_000)
    }
}
