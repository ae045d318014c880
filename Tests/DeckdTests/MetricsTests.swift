import FileTesting
import Foundation
import SocketTesting
import Testing

@Suite struct MetricsTests {
    private func request(_ route: String, _ method: String, _ status: Int) -> String {
        #"deckd_http_requests_total{route="\#(route)",method="\#(method)",code="\#(status)"}"#
    }

    /// Does something of every kind, and returns what requests there were.
    private func traffic(_ port: Int) throws -> [String: Double] {
        func send(_ method: String, _ path: String, _ status: Int, _ body: String = "") throws -> Answer {
            let answer = try #require(Answer(port, method, path, body))
            #expect(answer.status == status, "\(method) \(path)")
            return answer
        }
        let deck = #"{"cards":[{"id":"a","draggable":false},{"id":"b"}],"rules":{"allowedDirections":["left"]}}"#
        _ = try send("PUT", "/v1/decks/d", 201, deck)
        let begin = #"{"deck":"d","viewport":{"width":300,"height":400},"clock":"manual"}"#
        let session = try send("POST", "/v1/sessions", 201, begin)
        let id = try #require(session.body.firstMatch(of: /"id":"([^"]+)"/)).1
        let events = "/v1/sessions/\(id)/events"
        _ = try send("POST", events, 200, #"{"type":"swipe","direction":"up","at":1}"#)
        _ = try send("POST", "\(events)?dryRun=true", 200, #"{"type":"swipe","direction":"up","at":1}"#)
        _ = try send("POST", events, 200, #"{"type":"revert","at":2}"#)
        _ = try send("POST", events, 200, #"{"type":"drag","phase":"began","at":3}"#)
        _ = try send("POST", events, 200, #"{"type":"swipe","direction":"left","at":4}"#)
        for _ in 0..<5 { _ = try send("GET", "/v1/sessions/\(id)/frame", 200) }
        _ = Answer(port, "GET", "/v1/sessions/\(id)/frame", headers: ["Prefer: wait=0"])
        _ = try send("HEAD", "/v1/decks/d", 200)
        _ = try send("OPTIONS", "/v1/decks/d", 204)
        for path in ["/a", "/b", "/c/d/e", "/v1/decks/d/"] { _ = try send("GET", path, 404) }
        _ = try send("BREW", "/v1/decks/d", 405)
        _ = try send("GET", "/v1/decks/%zz", 400)
        _ = try send("PUT", "/v1/decks/d", 400, "{")
        return [
            request("/v1/decks/{deck}", "PUT", 201): 1, request("/v1/sessions", "POST", 201): 1,
            request("/v1/sessions/{id}/events", "POST", 200): 5, request("/v1/sessions/{id}/frame", "GET", 200): 6,
            request("/v1/decks/{deck}", "HEAD", 200): 1, request("/v1/decks/{deck}", "OPTIONS", 204): 1,
            request("other", "GET", 404): 4, request("/v1/decks/{deck}", "other", 405): 1,
            request("other", "GET", 400): 1, request("/v1/decks/{deck}", "PUT", 400): 1,
        ]
    }

    @Test func everythingIsCountedAsItWas() throws {
        let folder = try TemporaryFolder()
        let server = try RunningServer(data: folder.file("deckd.sqlite"))
        let port = try server.port()
        let requests = try traffic(port)
        let scrape = try Scrape(port)
        #expect(scrape.values(of: "deckd_http_requests_total") == requests)
        for route in ["other", "/v1/decks/{deck}", "/v1/sessions/{id}/events", "/v1/sessions/{id}/frame"] {
            // One of the requests for a frame has a Prefer header.
            let polls = route.hasSuffix("/frame") ? 1.0 : 0
            let count = requests.filter { $0.key.contains(#"{route="\#(route)","#) }.values.reduce(-polls, +)
            let metric = "deckd_http_request_duration_seconds"
            #expect(scrape[#"\#(metric)_count{route="\#(route)"}"#] == count, "\(route)")
            #expect(scrape[#"\#(metric)_bucket{route="\#(route)",le="+Inf"}"#] == count)
            #expect(scrape[#"\#(metric)_sum{route="\#(route)"}"#] > 0)
        }
        let polls = "deckd_http_waiting_request_duration_seconds_count"
        #expect(scrape.values(of: polls) == [#"\#(polls){route="/v1/sessions/{id}/frame"}"#: 1])
        #expect(scrape["deckd_http_requests_in_flight"] == 1)
        #expect(scrape["deckd_http_connections_max"] == 8192)
        #expect(scrape["deckd_http_responses_waiting_bytes"] == 0)
        #expect(scrape["deckd_http_responses_waiting_bytes_max"] == 268_435_456)
        // Each of the 20 requests had at least a turn of a loop, and ten of them were about the session.
        #expect(scrape["deckd_event_loop_turn_seconds_count"] > 20)
        #expect(scrape["deckd_event_loop_turn_seconds_sum"] > 0)
        #expect(scrape[#"deckd_cost_units_total{payer="player"}"#] >= 10)
        #expect(scrape.values(of: "deckd_cost_refusals_total") == [:])
        #expect(scrape["deckd_http_connections"] >= 1)
        #expect(
            scrape.values(of: "deckd_problems_total") == [
                #"deckd_problems_total{problem="not-found"}"#: 4,
                #"deckd_problems_total{problem="method-not-allowed"}"#: 1,
                #"deckd_problems_total{problem="malformed-target"}"#: 1,
                #"deckd_problems_total{problem="malformed-request"}"#: 1,
            ]
        )
        #expect(
            scrape.values(of: "deckd_events_refused_total") == [
                #"deckd_events_refused_total{reason="direction-not-allowed"}"#: 1,
                #"deckd_events_refused_total{reason="nothing-to-revert"}"#: 1,
                #"deckd_events_refused_total{reason="not-draggable"}"#: 1,
            ]
        )
        #expect(scrape["deckd_sessions"] == 1 && scrape["deckd_sessions_resident"] == 1)
        // The sample deck is there from the start.
        #expect(scrape["deckd_decks"] == 2)
        // Two decks, a session and a swipe, each after the answer to the one before it; and what is done each minute.
        #expect(scrape["deckd_journal_commit_changes_sum"] >= 4)
        #expect(scrape["deckd_journal_commit_changes_count"] >= 4)
        #expect(scrape["deckd_journal_commit_duration_seconds_count"] == scrape["deckd_journal_commit_changes_count"])
        #expect(scrape["deckd_journal_commit_failures_total"] == 0)
        #expect(scrape["deckd_journal_queue_changes"] == 0 && scrape["deckd_journal_queue_bytes"] == 0)
        #expect(scrape["deckd_journal_queue_wait_seconds"] == 0)
        #expect(scrape["deckd_journal_housekeeping_backlog"] == 0)
        #expect((0..<60).contains(scrape["deckd_journal_housekeeping_step_max_seconds"]))
        #expect(scrape["deckd_journal_file_bytes"] + scrape["deckd_journal_wal_bytes"] > 50_000)
        #expect(scrape["deckd_session_loads_total"] == 0 && scrape["deckd_session_evictions_total"] == 0)
        #expect(scrape.samples.keys.contains { $0.hasPrefix(#"deckd_build_info{version=""#) })
        let start = scrape["process_start_time_seconds"]
        #expect(abs(start - Date.now.timeIntervalSince1970) < 60)
        #expect(scrape["process_open_fds"] > 5 && scrape["process_open_fds"] <= scrape["process_max_fds"])
        #expect(scrape["process_resident_memory_bytes"] > 1e6 && scrape["process_cpu_seconds_total"] > 0)
    }

    @Test func whatAClientMakesUpMakesNoSeries() throws {
        let server = try RunningServer()
        let port = try server.port()
        func series() throws -> Int { try Scrape(port).samples.count }
        for method in ["GET", "MAKEUP"] { _ = Answer(port, method, "/nothing") }
        // Its own first request adds series.
        _ = try series()
        let before = try series()
        for number in 0..<50 {
            _ = Answer(port, "GET", "/nothing/\(number)")
            _ = Answer(port, "M\(number)", "/nothing")
        }
        #expect(try series() == before)
    }

    @Test func promtoolFindsNothingWrong() throws {
        let server = try RunningServer()
        let port = try server.port()
        _ = try traffic(port)
        let text = try Scrape(port).text
        try Command.withFile(text) { path in
            let result = try Command.run("/bin/sh", ["-c", "promtool check metrics < '\(path)'"])
            #expect(result.status == 0, "\(result.output)\(result.errors)")
            #expect(result.output + result.errors == "")
        }
        // It would say so.
        let wrong = text.replacing("# TYPE deckd_sessions gauge", with: "# TYPE deckd_sessions counter")
        try Command.withFile(wrong) { path in
            let result = try Command.run("/bin/sh", ["-c", "promtool check metrics < '\(path)'"])
            #expect(result.status != 0)
        }
    }

    @Test func theTableOfTheDocumentIsTheListOfMetrics() throws {
        let document = try String(
            contentsOf: Command.repository.appending(path: "docs/operations.md"),
            encoding: .utf8
        )
        let rows = document.matches(of: /\n\| `((?:deckd|process)_[a-z_]+)` \| (\w+) \|([^|]*)\|/)
        let documented = Dictionary(rows.map { (String($0.1), String($0.2)) }, uniquingKeysWith: { first, _ in first })
        let server = try RunningServer()
        let port = try server.port()
        _ = try traffic(port)
        let scrape = try Scrape(port)
        #expect(rows.count == documented.count)
        #expect(documented == scrape.kinds)
        for row in rows {
            let labels = Set(row.3.matches(of: /`(\w+)`/).map { String($0.1) })
            let seen = scrape.samples.keys.filter { $0.hasPrefix("\(row.1){") || $0.hasPrefix("\(row.1)_bucket{") }
                .flatMap { $0.matches(of: /[{,](\w+)="/).map { String($0.1) } }
            #expect(labels == Set(seen).subtracting(["le"]), "\(row.1)")
        }
    }
}
