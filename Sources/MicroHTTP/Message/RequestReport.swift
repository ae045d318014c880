/// What became of a request, once it is over.
public struct RequestReport: Sendable {
    /// Tells the request from every other.
    public var id: RequestID
    /// Its head; nil: it could not be understood.
    public var head: RequestHead?
    /// The status of the answer that was begun; nil: none was.
    public var status: Int?
    /// How long it took from its first line to the last byte of the answer.
    public var duration: Duration
    /// The bytes of its body that came.
    public var receivedBytes: Int
    /// Whether the answer was a stream.
    public var isStream: Bool
    /// Whether the whole answer was handed to the system; otherwise the connection broke off, or was cut off, before.
    public var isComplete: Bool
    /// The number that the application gave the request's ``Admission``, by which it need not look again what the
    /// request was for; 0: none.
    public var admissionLabel = 0
    /// The number that the application gave the ``Response``; 0: none, or the answer was a stream.
    public var answerLabel = 0
    /// What the application had to say of the ``Response``; nil: nothing, or the answer was a stream.
    public var remark: String?

    /// Puts a report together.
    public init(
        id: RequestID,
        head: RequestHead?,
        status: Int?,
        duration: Duration,
        receivedBytes: Int = 0,
        isStream: Bool = false,
        isComplete: Bool = true
    ) {
        self.id = id
        self.head = head
        self.status = status
        self.duration = duration
        self.receivedBytes = receivedBytes
        self.isStream = isStream
        self.isComplete = isComplete
    }
}
