import DeckEngine
import DeckHost
import DeckWire
import MicroHTTP

/// A problem document (RFC 9457).
struct Problem: Error, Sendable {
    /// The kind of problem.
    var kind: ProblemKind
    /// The cause of this occurrence, for a person.
    var detail: String
    /// The error in the body and its place; nil: the body is not the cause.
    var issue: WireIssue?
    /// The session whose current frame the document has, if the client expected another version. A session is too large to be
    /// copied with each problem.
    var current: Shared<CurrentSession>?
    /// The newest cursor of the feed, if the client's is ahead of it.
    var cursor: String?
    /// The internal cause, which only the log contains.
    var cause: String?
    /// After how many seconds another try may succeed; nil: the response has no Retry-After.
    var retrySeconds: ClosedRange<Int>?
    /// Additional headers of the response.
    var headers = HeaderFields()

    /// A problem with the cause of this occurrence.
    init(_ kind: ProblemKind, _ detail: String) {
        self.kind = kind
        self.detail = detail
        retrySeconds = kind.definition.retrySeconds
    }

    /// The problem of a body that cannot be read.
    init(_ error: WireError) {
        let kind: ProblemKind =
            switch error.kind {
            case .malformed: .malformedRequest
            case .outOfRange: .outOfRange
            case .memoryShort: .memoryShort
            }
        self.init(kind, "")
        issue = error.issue
        detail = "\(error.issue.pointer.isEmpty ? "The body" : error.issue.pointer) \(error.issue.detail)."
    }

    /// Writes the document.
    ///
    /// - Parameter instance: the requested path; nil if there is none.
    func write(instance: String?, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("type", "/problems/\(kind.rawValue)")
            writer.member("title", kind.title)
            writer.member("status", kind.status)
            writer.member("detail", detail)
            if let instance { writer.member("instance", instance) }
            current?.read { current in
                writer.key("frame")
                FrameWriter(session: current.id).write(current.session, at: current.time, to: &writer)
            }
            if let cursor { writer.member("cursor", cursor) }
            guard let issue else { return }
            // Reading stops at the first issue. The member is an array, as in the example of RFC 9457.
            writer.array("errors") { writer in
                writer.object {
                    $0.member("pointer", issue.pointer)
                    $0.member("detail", issue.detail)
                }
            }
        }
    }
}
