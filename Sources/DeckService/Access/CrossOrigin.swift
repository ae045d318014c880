import MicroHTTP

/// Allows scripts of other origins to read the answers (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol). Scripts set
/// the header with the token themselves, so cookies and other credentials of the browser are not allowed.
struct CrossOrigin: Sendable {
    /// The origins whose scripts may read.
    private let origins: AllowedOrigins

    /// How long browsers may cache the answer to a preflight. Some browsers cache it for no longer than this.
    private static let maximumAgeSeconds = 7200
    private static let requestFields = [
        "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Cache-Control", "Prefer",
        "Last-Event-ID", "X-Request-Id", "traceparent",
    ].joined(separator: ", ")
    private static let answerFields = [
        "ETag", "Link", "Location", "Retry-After", "Idempotency-Replayed", "X-Request-Id", "RateLimit",
        "RateLimit-Policy", "Preference-Applied", "Deckd-Log",
    ].joined(separator: ", ")

    init(allowedOrigins: [String]) {
        origins = AllowedOrigins(allowedOrigins)
    }

    /// Adds the CORS headers to an answer, if origins are configured.
    ///
    /// - Parameter head: nil if it was malformed.
    func addHeaders(to headers: inout HeaderFields, head: RequestHead?) {
        guard !origins.isEmpty else { return }
        // A cache must not use the answer for one origin for another.
        if !origins.areAll { headers.add("Vary", "Origin") }
        guard let head, let origin = allowed(head) else { return }
        headers.set("Access-Control-Allow-Origin", origin)
        headers.set("Access-Control-Expose-Headers", Self.answerFields)
        // A preflight is an OPTIONS request that names the method of the next request. Its answer has Allow if the path exists.
        guard head.method == .options, head.headers["Access-Control-Request-Method"] != nil,
            let methods = headers["Allow"]
        else { return }
        headers.set("Access-Control-Allow-Methods", methods)
        headers.set("Access-Control-Allow-Headers", Self.requestFields)
        headers.set("Access-Control-Max-Age", "\(Self.maximumAgeSeconds)")
    }

    /// The value of Access-Control-Allow-Origin; nil: the origin is not allowed.
    private func allowed(_ head: RequestHead) -> String? {
        let given = head.headers.values("Origin")
        guard given.count == 1, let origin = given.first else { return nil }
        return origins.headerValue(for: origin)
    }
}
