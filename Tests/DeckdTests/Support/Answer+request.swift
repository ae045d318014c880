import Foundation
import SocketTesting

extension Answer {
    /// Sends a request over a connection made for it, and reads the answer until the server closes the connection, after
    /// which the request is in its log; nil: not exactly one whole answer came.
    init?(_ port: Int, _ method: String, _ path: String, _ body: String = "", headers: [String] = []) {
        let fields = ["Host: localhost", "Connection: close", "Content-Type: application/json"] + headers
        let head = "\(method) \(path) HTTP/1.1\r\n" + fields.map { $0 + "\r\n" }.joined()
        guard let client = try? RawClient(port: port),
            (try? client.send("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")) != nil,
            let answer = try? method == "HEAD" ? client.readAnswer(toHead: true) : client.readWholeAnswer(),
            (try? client.readToEnd()) == ""
        else { return nil }
        self = answer
    }

    /// The body's members; none if it is no object.
    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:]
    }
}
