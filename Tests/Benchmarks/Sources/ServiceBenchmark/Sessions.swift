/// Sessions of a server, made over one connection.
struct Sessions {
    /// Of each the path.
    var paths: [String] = []

    /// The looped deck never runs out of cards.
    init(_ count: Int, at port: UInt16) throws {
        let connection = try Connection(port: port)
        let body = #"{"deck":{"count":100,"loop":true},"viewport":{"width":375,"height":600}}"#
        for _ in 0..<count {
            try connection.send("POST", "/v1/sessions", fields: ["Content-Type": "application/json"], body: body)
            let answer = try connection.answer()
            guard let id = answer.body.firstMatch(of: /"id":"([^"]+)"/) else {
                throw Connection.Failure(description: "no session: \(answer)")
            }
            paths.append("/v1/sessions/\(id.1)")
        }
    }

    func swipes(_ query: String) -> [Load.Request] {
        paths.map { path in
            Load.Request(
                method: "POST",
                path: "\(path)/events\(query)",
                fields: ["Content-Type": "application/json"],
                body: #"{"type":"swipe","direction":"right"}"#
            )
        }
    }
}
