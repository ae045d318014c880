import DeckWire
import MicroHTTP

/// A problem document (RFC 9457).
struct Problem: Error, Sendable, Equatable {
    /// Which problem it is.
    var kind: ProblemKind
    /// What is wrong this time, for a person.
    var detail: String
    /// What is wrong where in the body; nil: it is not the body.
    var issue: WireIssue?
    /// The frame as it is now, as JSON, where the client took it for another.
    var frame: String?
    /// What lies behind it, for those who run the server: the document does not have it.
    var cause: String?
    /// Headers that go with it.
    var headers = HeaderFields()

    /// A problem with what is wrong this time.
    init(_ kind: ProblemKind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    /// The problem that a body which cannot be read makes.
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
    /// - Parameter instance: the path that was asked for; nil if there is none.
    func write(instance: String?, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("type", "/problems/\(kind.rawValue)")
            writer.member("title", kind.title)
            writer.member("status", kind.status)
            writer.member("detail", detail)
            if let instance { writer.member("instance", instance) }
            if let frame { writer.member("frame", raw: frame) }
            guard let issue else { return }
            // The reading of a body stops at the first issue. The member is an array, as RFC 9457 has it in its example.
            writer.array("errors") { writer in
                writer.object {
                    $0.member("pointer", issue.pointer)
                    $0.member("detail", issue.detail)
                }
            }
        }
    }
}
