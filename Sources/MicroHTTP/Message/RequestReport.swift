/// How a request ended.
public struct RequestReport: Sendable {
    /// Identifies the request.
    public var id: RequestID
    /// Its head; nil: it was malformed.
    public var head: RequestHead?
    /// The address of the client. Without a head it is that of the connection, which can be a proxy's.
    public var peer: String
    /// The status of the answer; nil: there was no answer.
    public var status: Int?
    /// How long it took from its first line to the last byte of the answer, in nanoseconds.
    public var durationNanoseconds: Int
    /// The bytes of its body that were received.
    public var receivedBytes: Int
    /// Whether the answer was a stream.
    public var isStream: Bool
    /// Whether the whole answer was passed to the system; otherwise the connection was lost or cut off before.
    public var isComplete: Bool
    /// The label of the request's ``Admission``, so that the application need not route the request again; 0: none.
    public var admissionLabel: Int
    /// The label of the ``Response``; 0: none, or the answer was a stream.
    public var answerLabel: Int
    /// The remark of the ``Response``; nil: none, or the answer was a stream.
    public var remark: String?

    /// Creates a report.
    public init(
        id: RequestID,
        head: RequestHead?,
        peer: String,
        status: Int?,
        durationNanoseconds: Int,
        receivedBytes: Int = 0,
        isStream: Bool = false,
        isComplete: Bool = true,
        admissionLabel: Int = 0,
        answerLabel: Int = 0,
        remark: String? = nil
    ) {
        self.id = id
        self.head = head
        self.peer = peer
        self.status = status
        self.durationNanoseconds = durationNanoseconds
        self.receivedBytes = receivedBytes
        self.isStream = isStream
        self.isComplete = isComplete
        self.admissionLabel = admissionLabel
        self.answerLabel = answerLabel
        self.remark = remark
    }
}
