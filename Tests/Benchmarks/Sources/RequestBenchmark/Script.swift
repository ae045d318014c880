/// Requests of one kind, each a little later than the one before. The session's clock is manual, so the work of a request
/// does not depend on how fast the machine is.
struct Script {
    let name: String
    private var bytes: [UInt8]
    private let step: Int
    /// Where the digits of the time are that grow; nil: all requests are equal.
    private let digits: Range<Int>?

    /// Stands for the digits in a body.
    static let time = "100000000"

    /// - Parameter step: the milliseconds between two requests.
    init(_ name: String, _ bytes: [UInt8], step: Int = 0) {
        self.name = name
        self.bytes = bytes
        self.step = step
        let time = Array(Self.time.utf8)
        let start = bytes.indices.dropLast(time.count - 1).first { bytes[$0...].starts(with: time) }
        digits = start.map { $0..<$0 + time.count }
    }

    /// The next request. Nothing is allocated.
    mutating func next() -> [UInt8] {
        guard let digits else { return bytes }
        var rest = step
        for place in digits.reversed() where rest > 0 {
            let sum = Int(bytes[place] & 0xF) + rest
            bytes[place] = UInt8(ascii: "0") + UInt8(sum % 10)
            rest = sum / 10
        }
        return bytes
    }
}

extension [UInt8] {
    /// A request to the server.
    static func request(_ method: String, _ path: String, _ body: String = "", headers: [String] = []) -> [UInt8] {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: localhost"] + headers
        if !body.isEmpty { lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] }
        return Array((lines + ["", body]).joined(separator: "\r\n").utf8)
    }
}

/// The kinds of requests whose cost is measured, and their sessions.
struct Scripts {
    private(set) var all: [Script]

    /// Creates the sessions.
    init(_ client: Client) throws {
        let dragged = try client.createSession()
        let browsed = try client.createSession()
        let swiped = try client.createSession()
        let still = try client.createSession()
        let moving = try client.createSession()
        // Times have fractions, as they have on the server's clock.
        let began = #"{"type":"drag","phase":"began","location":{"x":9,"y":9},"at":1000.255}"#
        for session in [dragged, browsed] { try client.exchange(.request("POST", "\(session)/events", began)) }
        try client.exchange(.request("POST", "\(still)/events", #"{"type":"tick","at":1000.255}"#))
        // The clock stands in the midst of the motion.
        let appear = #"{"events":[{"type":"appear","at":1000.255},{"type":"tick","at":1900.5}]}"#
        try client.exchange(.request("POST", "\(moving)/events", appear))
        let drag =
            #"{"type":"drag","phase":"changed","translation":{"x":40,"y":6},"at":"# + Script.time + ".255}"
        let swipe = #"{"type":"swipe","direction":"right","at":"# + Script.time + ".255}"
        all = [
            Script("drag", .request("POST", "\(dragged)/events", drag), step: 8),
            Script("browser", .request("POST", "\(browsed)/events", drag, headers: Self.browserHeaders), step: 8),
            // After a second the card has left.
            Script("swipe", .request("POST", "\(swiped)/events?frame=none", swipe), step: 1000),
            Script("frame", .request("GET", "\(still)/frame")),
            Script("moving", .request("GET", "\(moving)/frame")),
            Script("known", .request("GET", "\(still)/frame", headers: [#"If-None-Match: "1""#])),
            Script("probe", .request("GET", "/livez")),
        ]
    }

    /// The headers that a browser sends besides those of every client.
    private static let browserHeaders = [
        "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Accept: */*",
        "Accept-Language: en-US,en;q=0.5", "Accept-Encoding: gzip, deflate, br, zstd", "Referer: http://localhost/",
        "Origin: http://localhost", "Connection: keep-alive", "Sec-Fetch-Dest: empty", "Sec-Fetch-Mode: cors",
        "Sec-Fetch-Site: same-origin", "Priority: u=4", "Pragma: no-cache",
    ]
}

extension Client {
    /// Creates a session with a manual clock, and gives its path.
    fileprivate func createSession() throws -> String {
        let body = #"{"deck":{"count":100,"loop":true},"viewport":{"width":390,"height":600},"clock":"manual"}"#
        let response = String(decoding: try exchange(.request("POST", "/v1/sessions", body)), as: UTF8.self)
        guard let location = response.split(separator: "\r\n").first(where: { $0.hasPrefix("Location: ") }) else {
            throw Failure(description: response)
        }
        return String(location.dropFirst("Location: ".count))
    }
}
