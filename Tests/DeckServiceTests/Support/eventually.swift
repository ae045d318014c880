extension Client {
    /// Waits until as many requests have arrived and have no answer, including the one that counts them.
    func waitForRequests(_ count: Int) async throws {
        _ = try await eventually("\(count) requests in progress") {
            try await get("/metrics").text.contains("\ndeckd_http_requests_in_flight \(count)\n") ? true : nil
        }
    }
}

/// Asks again and again until there is an answer, for a minute.
///
/// The last question is asked after the time is up: between an answer and what the test does with it there can be any
/// time, as the tests share few threads, and a test that was not let on has not asked in vain.
///
/// - Throws: `Client.Failure` with what was waited for, if the last question had no answer either.
func eventually<Value: Sendable>(_ wanted: String, _ ask: () async throws -> Value?) async throws -> Value {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
        let isLast = ContinuousClock.now > deadline
        if let answer = try await ask() { return answer }
        if isLast { throw Client.Failure(description: "waited in vain for \(wanted)") }
    }
}
