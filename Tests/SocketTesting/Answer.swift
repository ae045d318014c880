/// An answer of an HTTP server.
package struct Answer {
    package let status: Int
    /// The status line and the headers.
    package let head: String
    /// The headers, by name in lower case.
    package let headers: [String: String]
    package var body = ""

    /// Without the body; nil: this is not the head of an answer.
    init?(head: String) {
        let lines = head.split(separator: "\r\n")
        guard let words = lines.first?.split(separator: " "), words.count > 1, words[0] == "HTTP/1.1",
            let status = Int(words[1])
        else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let field = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard field.count == 2 else { return nil }
            headers[field[0].lowercased()] = String(field[1].drop { $0 == " " })
        }
        self.status = status
        self.head = head
        self.headers = headers
    }

    /// Whether answers with this status have no body (RFC 9110, section 6.4.1).
    var hasNoBody: Bool { status < 200 || status == 204 || status == 304 }
}
