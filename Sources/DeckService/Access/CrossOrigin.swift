import MicroHTTP

/// Lets scripts of other origins read the answers (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol). Tokens are
/// in fields that scripts set themselves, so cookies and the like are not let through.
struct CrossOrigin: Sendable {
    /// The origins whose scripts may read; `*` alone: all of them.
    private let origins: Set<String>
    private let allowsAll: Bool

    /// How long browsers remember what a preflight told them; some of them no longer than this, whatever is said.
    private static let maximumAgeSeconds = 7200
    private static let requestFields = [
        "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Cache-Control", "Prefer",
        "Last-Event-ID", "X-Request-Id", "traceparent",
    ].joined(separator: ", ")
    private static let answerFields = [
        "ETag", "Link", "Location", "Retry-After", "Idempotency-Replayed", "X-Request-Id", "RateLimit",
        "RateLimit-Policy", "Preference-Applied",
    ].joined(separator: ", ")

    init(allowedOrigins: [String]) {
        origins = Set(allowedOrigins)
        allowsAll = allowedOrigins == ["*"]
    }

    /// Adds to an answer what its reader's browser must know. What is not configured is not there at all.
    ///
    /// - Parameter head: nil when it could not be understood.
    func complete(_ headers: inout HeaderFields, head: RequestHead?) {
        guard !origins.isEmpty else { return }
        // A cache must not give the answer for one origin to another.
        if !allowsAll { headers.add("Vary", "Origin") }
        guard let head, let origin = allowed(head) else { return }
        headers.set("Access-Control-Allow-Origin", origin)
        headers.set("Access-Control-Expose-Headers", Self.answerFields)
        // A preflight is an OPTIONS that says what is to follow; Allow is there when the path is.
        guard head.method == .options, head.headers["Access-Control-Request-Method"] != nil,
            let methods = headers["Allow"]
        else { return }
        headers.set("Access-Control-Allow-Methods", methods)
        headers.set("Access-Control-Allow-Headers", Self.requestFields)
        headers.set("Access-Control-Max-Age", "\(Self.maximumAgeSeconds)")
    }

    /// What to tell a request's origin; nil: nothing. It is never what the request has, but what is configured.
    private func allowed(_ head: RequestHead) -> String? {
        let given = head.headers.values("Origin")
        guard given.count == 1, let origin = given.first else { return nil }
        if allowsAll { return "*" }
        return origins.firstIndex(of: origin).map { origins[$0] }
    }
}
