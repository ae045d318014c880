import JSONTesting
import Testing

/// Media types that a client does not take.
@Suite(.serialized) struct AcceptTests {
    @Test(arguments: [
        ("application/json", 200), ("*/*", 200), ("application/*;q=0.5", 200),
        ("text/html, application/json;q=0.9", 200),
        ("Application/JSON; charset=utf-8", 200), ("text/html", 406), ("application/json;q=0", 406),
        ("application/xml, text/*", 406), ("application/json;q=0.0, text/html", 406),
        (",", 200), (" , ,application/json", 200), ("*/*;q=0, application/*", 200), ("*/*, application/*;q=0", 406),
        ("application/*;q=0, APPLICATION/json ; Q=1", 200), ("application/jsonp", 406), ("app/*", 406), ("*", 406),
        ("applicationx/*, xapplication/*", 406), ("application/json;q=x", 200), ("application/json;q=0;q=1", 200),
        ("application/json;q=0.001", 200), ("application/json;q=0.0001", 406), ("application/json; q=1.000", 200),
        ("application/json ; a=b ; q=0", 406), ("application/json;q=0.", 406), ("application/json;q=00", 200),
        (#"text/html;a="x,application/json""#, 406), (#"text/html;a="\",";q=0,application/json"#, 200),
        (#"application/json;a=";q=0""#, 200), (#"application/json;a="\\";q=0"#, 406),
        (#"application/json;a="b,c"#, 200),
        ("\tapplication/json\t,\ttext/html", 200),
        (String(repeating: "a/b,", count: 3000) + "application/json", 200),
        (String(repeating: "a/b,", count: 3000), 406),
        (String(repeating: ";q=0", count: 3000), 200),
    ])
    func anAnswerIsOfATypeThatTheClientTakes(accept: String, status: Int) async throws {
        try await withService { client in
            let answer = try await client.send("GET", "/v1/decks", nil, headers: ["Accept": accept])
            #expect(answer.status == status)
            if status == 406 { #expect(answer.json["type"] == "/problems/not-acceptable") }
        }
    }

    /// A removal has no body, so a generated client accepts only problems.
    @Test(arguments: [("application/problem+json", 204), ("application/json", 204), ("text/html", 406)])
    func aRemovalNeedsNoMoreThanProblems(accept: String, status: Int) async throws {
        try await withService { client in
            _ = try await client.put("/v1/decks/d", #"{"count":3}"#)
            let session = try await client.begin(#""d""#)
            for path in [session.path, "/v1/decks/d"] {
                let answer = try await client.send("DELETE", path, nil, headers: ["Accept": accept])
                #expect(answer.status == status, "\(path)")
            }
        }
    }

    @Test(arguments: [("text/plain", 200), ("application/json", 406)])
    func explanationsAreText(accept: String, status: Int) async throws {
        try await withService { client in
            let answer = try await client.send("GET", "/problems/not-found", nil, headers: ["Accept": accept])
            #expect(answer.status == status)
        }
    }
}
