import MicroHTTP

extension RequestHead {
    /// Whether the request changes no more if it is sent twice: because of its method (RFC 9110, section 9.2.2), or because of its
    /// idempotency key.
    var isRepeatable: Bool {
        method.isSafe || method == .put || method == .delete || headers.contains("Idempotency-Key")
    }

    /// Whether the client wants the newest state in the journal, and not that in the memory of this node
    /// (`Cache-Control: no-cache`, RFC 9111, section 5.2.1.4).
    var asksForLatest: Bool {
        headers.values("Cache-Control").contains { value in
            value.split(separator: ",").contains { directive in
                directive.trimmingPrefix { $0 == " " || $0 == "\t" }.lowercased().hasPrefix("no-cache")
            }
        }
    }
}
