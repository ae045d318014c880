enum LargeSession {
    /// A request for a session whose frames with data are half a megabyte each.
    static let request: String = {
        let data = String(repeating: "x", count: 16_000)
        let cards = (0..<32).map { #"{"id":"\#($0)","data":"\#(data)"}"# }.joined(separator: ",")
        return #"{"deck":{"cards":[\#(cards)],"layout":{"type":"stack","visibleCount":32}},"#
            + #""clock":"manual","viewport":{"width":300,"height":400}}"#
    }()
}
