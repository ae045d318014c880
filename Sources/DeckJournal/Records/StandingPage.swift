/// Some of the verdicts of a session that stand: that were given and not reverted.
public struct StandingPage: Sendable, Hashable {
    /// The maximum number of verdict numbers that a page covers, so that reading it takes a bounded time, however many verdicts were
    /// reverted.
    public static let mostNumbers = 1000

    /// The verdicts, by their numbers.
    public var verdicts: [FeedRecord]
    /// The number after which the next page begins; nil: this is the last page. A page can have fewer verdicts than its limit, or
    /// none, although there is a next page.
    public var next: Int?

    /// Creates a page.
    public init(verdicts: [FeedRecord], next: Int?) {
        self.verdicts = verdicts
        self.next = next
    }

    /// The page of a session without further verdicts.
    public static let end = StandingPage(verdicts: [], next: nil)
}

extension StandingPage {
    /// The numbers that the page after a number covers.
    package static func numbers(after number: Int) -> ClosedRange<Int> {
        number + 1...number + min(mostNumbers, .max - number)
    }

    /// The first verdicts of those that were found.
    ///
    /// - Parameter following: numbers after those that the page covers. The least of them is the first that can have a verdict.
    ///   They are not asked for if the page is full.
    package init(first limit: Int, of found: [FeedRecord], following: @autoclosure () throws -> [Int?]) rethrows {
        let verdicts = Array(found.sorted { $0.number < $1.number }.prefix(limit))
        let isFull = verdicts.count == limit
        let next = isFull ? verdicts.last?.number : try following().compactMap(\.self).min().map { $0 - 1 }
        self.init(verdicts: verdicts, next: next)
    }
}
