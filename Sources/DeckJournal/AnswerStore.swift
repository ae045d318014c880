/// Keeps the answers to requests that carried an idempotency key. They come in with the commits that they report.
public protocol AnswerStore: Sendable {
    /// The answer that a session's request with a key got; nil: there is none.
    func answer(of session: String, key: String, completion: @escaping JournalCompletion<AnswerRecord?>)

    /// Drops answers from before a time, oldest first, and says how many.
    ///
    /// - Parameter limit: how many at most; asked again, it goes on with the next.
    func purgeAnswers(before time: WallTime, limit: Int, completion: @escaping JournalCompletion<Int>)
}

/// The answer to a request that carried an idempotency key.
public struct AnswerRecord: Sendable, Hashable {
    /// The key.
    public var key: String
    /// Tells the request from another with the same key.
    public var fingerprint: [UInt8]
    /// The answer's status.
    public var status: Int
    /// The answer's body.
    public var body: [UInt8]
    /// When it was given.
    public var at: WallTime

    /// Creates an answer.
    public init(key: String, fingerprint: [UInt8], status: Int, body: [UInt8], at: WallTime) {
        self.key = key
        self.fingerprint = fingerprint
        self.status = status
        self.body = body
        self.at = at
    }
}
