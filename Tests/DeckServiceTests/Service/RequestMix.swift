import RandomTesting

/// A request with placeholders for what only the service knows: `{s3}` is the id of the fourth session, `{v3}` its last
/// version, `{d1}` the entity tag of a deck and `{c}` the cursor of the feed.
struct PlannedRequest: Sendable {
    var method = "GET"
    var path: String
    var body: String?
    var headers: [String: String] = [:]
    /// The number that the session gets which the answer is expected to create.
    var creates: Int?
    /// The number of the session whose version the answer has.
    var session: Int?
    /// The deck whose entity tag the answer has.
    var deck: Int?
}

/// Random requests of every kind, also such as are refused. The same seed gives the same requests.
struct RequestMix {
    private var numbers: SeededNumbers
    private var deckPuts = 0
    private var sessionCount = 0
    /// The clock of each session.
    private var times: [Int] = []
    /// Requests with keys, which may be sent again.
    private var keyed: [PlannedRequest] = []

    private static let deckCount = 4

    init(seed: UInt64) {
        numbers = SeededNumbers(seed: seed)
    }

    mutating func next() -> PlannedRequest {
        if deckPuts < Self.deckCount { return deck() }
        if sessionCount < 3 { return creation() }
        if !keyed.isEmpty, numbers.chance(0.08) { return repetition() }
        switch Int.random(in: 0..<100, using: &numbers) {
        case ..<6: return creation()
        case ..<8: return end()
        case ..<14: return fork()
        case ..<20: return patch()
        case ..<28: return deck()
        case ..<60: return events()
        default: return reading()
        }
    }

    private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &numbers) }

    /// One of the last sessions; earlier ones have ended or run out.
    private mutating func session() -> Int { number(max(0, sessionCount - 6)..<sessionCount) }

    /// Gives some requests a key.
    private mutating func maybeKeyed(_ request: PlannedRequest) -> PlannedRequest {
        guard numbers.chance(0.3) else { return request }
        var request = request
        request.headers["Idempotency-Key"] = "\"k\(keyed.count)\""
        keyed.append(request)
        return request
    }

    /// The same request again; sometimes with another body, or in another form.
    private mutating func repetition() -> PlannedRequest {
        var request = numbers.pick(keyed)
        if numbers.chance(0.2) { request.body? += " " }
        if request.path.hasSuffix("/events"), numbers.chance(0.3) { request.path += "?include=motion,labels" }
        return request
    }

    private mutating func creation() -> PlannedRequest {
        let deck = numbers.pick([
            "\"deck\(number(0..<Self.deckCount))\"", #"{"count":5,"loop":true}"#,
            #"{"cards":[{"id":"a","data":{"n":1}},{"id":"b","undoable":false}]}"#,
            #"{"count":9,"layout":{"type":"flip"}}"#, "\"sample\"",
        ])
        let isRecorded = numbers.chance(0.6)
        let more = numbers.pick(["", #","startIndex":1"#, #","appear":true"#])
        if numbers.chance(0.1) {
            return PlannedRequest(method: "POST", path: "/v1/sessions", body: #"{"deck":"none"}"#)
        }
        let start = #""viewport":{"width":375,"height":600},"clock":"manual","record":\#(isRecorded)"#
        let body = #"{"deck":\#(deck),\#(start)\#(more)}"#
        defer { addSession(at: 0) }
        return maybeKeyed(PlannedRequest(method: "POST", path: "/v1/sessions", body: body, creates: sessionCount))
    }

    private mutating func addSession(at time: Int) {
        sessionCount += 1
        times.append(time)
    }

    /// Sometimes the version that the session has, sometimes another one.
    private mutating func maybeConditional(_ request: PlannedRequest, on name: String) -> PlannedRequest {
        var request = request
        if numbers.chance(0.25) { request.headers["If-Match"] = numbers.pick([name, name, "\"0\"", "*"]) }
        return request
    }

    private mutating func end() -> PlannedRequest {
        let session = session()
        let request = PlannedRequest(method: "DELETE", path: "/v1/sessions/{s\(session)}")
        return maybeConditional(request, on: "{v\(session)}")
    }

    private mutating func fork() -> PlannedRequest {
        let session = session()
        let body = numbers.chance(0.5) ? "{}" : #"{"at":\#(number(0..<times[session] + 1000))}"#
        let path = "/v1/sessions/{s\(session)}/fork"
        let request = PlannedRequest(method: "POST", path: path, body: body, creates: sessionCount)
        defer { addSession(at: times[session]) }
        return maybeKeyed(maybeConditional(request, on: "{v\(session)}"))
    }

    private mutating func patch() -> PlannedRequest {
        let session = session()
        let body = numbers.pick([
            #"{"rules":{"swipeThreshold":0.6}}"#, #"{"loop":true}"#, #"{"loop":null,"rules":null}"#,
            #"{"viewport":{"width":300,"height":500}}"#, #"{"rules":{"confirm":["right"]}}"#,
            #"{"rules":{"whileAnimating":"queue"}}"#, #"{"rules":{"swipeThreshold":7}}"#,
        ])
        let path = "/v1/sessions/{s\(session)}"
        let request = PlannedRequest(method: "PATCH", path: path, body: body, session: session)
        return maybeConditional(request, on: "{v\(session)}")
    }

    private mutating func deck() -> PlannedRequest {
        deckPuts += 1
        let number = deckPuts <= Self.deckCount ? deckPuts - 1 : number(0..<Self.deckCount)
        let path = "/v1/decks/deck\(number)"
        if deckPuts > Self.deckCount, numbers.chance(0.2) {
            return maybeConditional(PlannedRequest(method: "DELETE", path: path), on: "{d\(number)}")
        }
        let body = numbers.pick([
            #"{"count":6}"#, #"{"cards":[{"id":"x","label":"X"},{"id":"y","data":[1]},{"id":"z"},{"id":"w"}]}"#,
            #"{"count":8,"rules":{"whileAnimating":"queue","allowedDirections":["left","right","up"]}}"#,
            #"{"cards":[{"id":"x"},{"id":"x"}]}"#,
        ])
        let request = PlannedRequest(method: "PUT", path: path, body: body, deck: number)
        return maybeKeyed(maybeConditional(request, on: "{d\(number)}"))
    }

    private mutating func events() -> PlannedRequest {
        let session = session()
        let isBatch = numbers.chance(0.3)
        let events = (0..<(isBatch ? number(1..<6) : 1)).map { _ in event(of: session) }
        let body = isBatch ? #"{"events":[\#(events.joined(separator: ","))]}"# : events[0]
        let query = numbers.pick(["", "", "", "?frame=none", "?include=data,labels", "?dryRun=true"])
        let path = "/v1/sessions/{s\(session)}/events"
        let request = PlannedRequest(method: "POST", path: path, body: body, session: session)
        var sent = maybeKeyed(maybeConditional(request, on: "{v\(session)}"))
        sent.path += query
        return sent
    }

    private mutating func event(of session: Int) -> String {
        times[session] += numbers.pick([0, 7, 300, 300, 2500])
        let time = numbers.chance(0.02) ? 0 : times[session]
        let event = numbers.pick([
            #""type":"swipe","direction":"left""#, #""type":"swipe","direction":"right""#,
            #""type":"swipe","direction":"right""#, #""type":"swipe","direction":"up""#, #""type":"revert""#,
            #""type":"revert","count":2"#, #""type":"redo""#, #""type":"move","to":2"#, #""type":"sendToBack""#,
            #""type":"putBack""#, #""type":"insert","index":1,"cards":[{"id":"new\#(times[session])","label":"N"}]"#,
            #""type":"insert","index":0,"count":1"#, #""type":"remove","from":1,"to":2"#,
            #""type":"refresh","from":0,"to":1"#, #""type":"shuffle","seed":\#(number(0..<99))"#, #""type":"reload""#,
            #""type":"reset""#, #""type":"tap","count":2"#, #""type":"press""#, #""type":"flip""#,
            #""type":"nudge","direction":"left""#, #""type":"confirm""#, #""type":"deny""#, #""type":"tick""#,
            #""type":"drag","phase":"changed","translation":{"x":60,"y":4}"#,
            #""type":"drag","phase":"ended","translation":{"x":250,"y":4}"#,
            #""type":"drag","phase":"cancelled","translation":{"x":0,"y":0}"#,
            #""type":"scroll","phase":"ended","offset":400"#, #""type":"appear""#, #""type":"nothing""#,
        ])
        return "{\(event),\"at\":\(time)}"
    }

    private mutating func reading() -> PlannedRequest {
        let session = session()
        let time = number(0..<times[session] + 1000)
        let part = numbers.pick([
            "", "/frame", "/frame?at=\(time)&since=0", "/frame?include=data,motion,labels&since=5",
            "/frame?fields=at,cards", "/frames?from=\(time)&to=\(time + 100)&fps=20", "/frame.svg", "/slots", "/cards",
            "/cards?from=1&to=3",
            "/cards/1", "/verdicts", "/verdicts?after=1&limit=2", "/events", "/events?after=3", "FEED", "FEED", "FEED",
            "SESSIONS", "DECKS", "DECK",
        ])
        switch part {
        case "FEED": return feed()
        case "SESSIONS": return PlannedRequest(path: "/v1/sessions?limit=1000")
        case "DECKS": return PlannedRequest(path: "/v1/decks?limit=\(number(1..<6))")
        case "DECK":
            let deck = number(0..<Self.deckCount)
            return PlannedRequest(path: "/v1/decks/deck\(deck)", deck: deck)
        default:
            let headers = numbers.chance(0.2) ? ["If-None-Match": "{v\(session)}"] : [:]
            return PlannedRequest(path: "/v1/sessions/{s\(session)}\(part)", headers: headers)
        }
    }

    private mutating func feed() -> PlannedRequest {
        let deck = numbers.chance(0.3) ? "&deck=deck\(number(0..<Self.deckCount))" : ""
        let after = numbers.chance(0.6) ? "{c}" : "0"
        let headers = numbers.chance(0.3) ? ["Accept": "application/x-ndjson"] : [:]
        let types = numbers.pick(["", "", "&types=verdict,ranOut", "&types=needsCards,ranOut,ended,pending"])
        if numbers.chance(0.6) {
            let session = numbers.chance(0.3) ? "&session={s\(number(0..<sessionCount))}" : ""
            let path = "/v1/feed?limit=\(number(1..<20))&after=\(after)\(deck)\(types)\(session)"
            return PlannedRequest(path: path, headers: headers)
        }
        return PlannedRequest(path: "/v1/verdicts?limit=\(number(1..<20))&after=\(after)\(deck)", headers: headers)
    }
}
