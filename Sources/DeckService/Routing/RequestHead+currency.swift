import MicroHTTP

extension RequestHead {
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
