/// The outcome of a request that carried an idempotency key.
public struct AnswerRecord: Sendable, Hashable {
    /// The key.
    public var key: String
    /// Distinguishes the request from another one with the same key.
    public var fingerprint: [UInt8]
    /// The outcome, from which a response can be made again in any form.
    public var outcome: [UInt8]
    /// When the answer was given.
    public var at: WallTime
    /// The revision of the entry that the answer reports; nil before it is appended.
    public var revision: Revision?

    /// Creates an answer.
    public init(key: String, fingerprint: [UInt8], outcome: [UInt8], at: WallTime, revision: Revision? = nil) {
        self.key = key
        self.fingerprint = fingerprint
        self.outcome = outcome
        self.at = at
        self.revision = revision
    }

    /// Whether it is the outcome of the session's creation, whose key is empty. It stays until its age ends it: without it, a
    /// repetition of the creation could neither be answered nor create a session.
    package var isOfCreation: Bool { key.isEmpty }

    /// The bytes with which the answer counts towards the limit of its session.
    package var storedBytes: Int {
        Self.storedBytes(outcome: outcome.count, key: key.utf8.count)
    }

    /// The bytes that an answer with an outcome and a key of these lengths counts.
    package static func storedBytes(outcome: Int, key: Int) -> Int {
        max(outcome + key + SessionLimits.answerOverhead, SessionLimits.leastAnswerBytes)
    }
}

extension [AnswerRecord] {
    /// Whether two of the answers have the same key.
    package var hasDuplicateKeys: Bool {
        count > 1 && Set(map(\.key)).count < count
    }
}
