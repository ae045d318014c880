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

    /// Swipes, one in each session.
    func swipes(_ query: String) -> [Load.Request] {
        events(#"{"type":"swipe","direction":"right"}"#, query)
    }

    /// Swipes, each with a different idempotency key.
    func keyedSwipes(_ query: String) -> [Load.Request] {
        events(#"{"type":"swipe","direction":"right"}"#, query, areKeyed: true)
    }

    /// Events that change nothing but the time, each with a different idempotency key.
    func keyedTicks(_ query: String) -> [Load.Request] {
        events(#"{"type":"tick"}"#, query, areKeyed: true)
    }

    private func events(_ body: String, _ query: String, areKeyed: Bool = false) -> [Load.Request] {
        var fields = ["Content-Type": "application/json"]
        if areKeyed { fields["Idempotency-Key"] = "\"\(Load.Request.number)\"" }
        return paths.map { Load.Request(method: "POST", path: "\($0)/events\(query)", fields: fields, body: body) }
    }

    /// The first of these sessions.
    func prefix(_ count: Int) -> Sessions {
        Sessions(paths: Array(paths.prefix(count)))
    }

    /// Swipes in each session so often.
    func swipe(_ count: Int, at port: UInt16) throws {
        let connection = try Connection(port: port)
        let swipes = Array(repeating: #"{"type":"swipe","direction":"right"}"#, count: Self.batch)
        for path in paths {
            for _ in 0..<count / Self.batch {
                let body = #"{"events":[\#(swipes.joined(separator: ","))]}"#
                let fields = ["Content-Type": "application/json"]
                try connection.send("POST", "\(path)/events?frame=none", fields: fields, body: body)
                let answer = try connection.answer()
                guard answer.head.hasPrefix("HTTP/1.1 200") else {
                    throw Connection.Failure(description: "no swipes: \(answer)")
                }
            }
        }
    }

    private static let batch = 100

    private init(paths: [String]) {
        self.paths = paths
    }
}
