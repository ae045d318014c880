/// What a request has changed in a session.
public struct SessionRecord: Sendable, Hashable {
    /// The session's id.
    public var session: String
    /// When the request was done.
    public var at: WallTime
    /// The session's version afterwards.
    public var version: Int
    /// The session as it is afterwards.
    public var snapshot: [UInt8]
    /// What became of the cards of its own.
    public var cards: CardsChange
    /// What happened to its verdicts, in order.
    public var verdicts: [VerdictRecord]
    /// Lines to append to its log.
    public var logLines: [[UInt8]]
    /// The answer to the request, if it carried an idempotency key.
    ///
    /// A commit whose key has an answer already fails with `alreadyAnswered`, unless that is too old to count.
    public var answer: AnswerRecord?
    /// Answers from before this do not count any more.
    public var answersExpireBefore: WallTime

    /// Creates a record.
    public init(
        session: String,
        at: WallTime,
        version: Int,
        snapshot: [UInt8],
        cards: CardsChange = .unchanged,
        verdicts: [VerdictRecord] = [],
        logLines: [[UInt8]] = [],
        answer: AnswerRecord? = nil,
        answersExpireBefore: WallTime = WallTime(milliseconds: .min)
    ) {
        self.session = session
        self.at = at
        self.version = version
        self.snapshot = snapshot
        self.cards = cards
        self.verdicts = verdicts
        self.logLines = logLines
        self.answer = answer
        self.answersExpireBefore = answersExpireBefore
    }
}

/// What became of the cards that a session has of its own.
public enum CardsChange: Sendable, Hashable {
    /// Nothing.
    case unchanged
    /// It has these now.
    case replaced([UInt8])
    /// It has none any more.
    case dropped
}
