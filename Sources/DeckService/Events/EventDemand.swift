import DeckHost
import MicroHTTP

/// What the head of a request with events says: its condition, its key, and the form of its answer.
struct EventDemand: Sendable {
    /// Whether the request is a dry run.
    let isDryRun: Bool
    let withFrame: Bool
    let extras: EventExtras
    let condition: VersionCondition
    private let idempotencyKey: String?
    private let path: String

    static let parameters = ["frame", "dryRun", "include"]
    private static let frameWords = ["none", "full"]

    init(_ head: RequestHead, _ query: Query) throws(Problem) {
        isDryRun = try query.flag("dryRun")
        withFrame = try query.word("frame", of: Self.frameWords) != "none"
        extras = try EventExtras(query)
        guard !extras.hasSnapshot || !isDryRun else {
            throw Problem(.malformedQuery, "The response to a dry run has no snapshot.")
        }
        condition = try head.versionCondition()
        idempotencyKey = try OperationKey.text(in: head.headers)
        path = head.target.path
    }

    /// The key of a request with a body; nil: it has none.
    func key(of body: [UInt8]) -> OperationKey? {
        idempotencyKey.map { OperationKey($0, path: path, body: body) }
    }
}
