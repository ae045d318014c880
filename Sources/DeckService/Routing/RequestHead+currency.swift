import MicroHTTP

extension RequestHead {
    /// Whether the client wants what is in the journal now, and not what was known a moment ago (`Cache-Control: no-cache`,
    /// RFC 9111, section 5.2.1.4).
    var asksForLatest: Bool {
        headers.values("Cache-Control").contains { value in
            value.split(separator: ",").contains { directive in
                directive.trimmingPrefix { $0 == " " || $0 == "\t" }.lowercased().hasPrefix("no-cache")
            }
        }
    }
}
