/// One answer to a request over a connection of its own.
struct PlainAnswer {
    var status: Int
    /// The lines before the body.
    var head: String
    var body: String

    /// Nil: no whole answer came.
    init?(_ port: Int, _ method: String, _ path: String, _ body: String = "", headers: [String] = []) {
        let fields = ["Host: localhost", "Connection: close", "Content-Type: application/json"] + headers
        let head = "\(method) \(path) HTTP/1.1\r\n" + fields.map { $0 + "\r\n" }.joined()
        guard let connection = try? Connection(port: port),
            (try? connection.send("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")) != nil,
            let text = try? connection.readToEnd()
        else { return nil }
        self.init(text, hasBody: method != "HEAD")
    }

    /// Nil: the text is not a whole answer.
    init?(_ text: String, hasBody: Bool = true) {
        guard let end = text.firstRange(of: "\r\n\r\n"),
            let status = text.firstMatch(of: #/^HTTP/1\.1 (\d+) /#).flatMap({ Int($0.1) })
        else { return nil }
        self.status = status
        head = String(text[..<end.lowerBound])
        body = String(text[end.upperBound...])
        // `Connection.readAnswer` has put the chunks together.
        if head.contains(/(?i)transfer-encoding: chunked/) { return }
        let announced = head.firstMatch(of: /(?i)content-length: (\d+)/).flatMap { Int($0.1) }
        guard body.utf8.count == (hasBody && status != 204 ? announced : 0) else { return nil }
    }
}
