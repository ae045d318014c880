import MicroHTTP

/// Probes for operators: whether the server is alive, and whether it is ready.
struct ProbeEndpoints: Sendable {
    var readiness: Readiness
    var journal: JournalWatch
    var loops: LoopWatch

    /// A check that takes longer has failed. By default, Kubernetes waits one second.
    private static let patience = Duration.milliseconds(800)

    var routes: [Route] {
        let live = Endpoint(access: .open, produces: "text/plain") { call throws(Problem) in try self.live(call) }
        let ready = Endpoint(access: .open, produces: "text/plain") { call throws(Problem) in try self.ready(call) }
        return [Route("/livez", [(.get, live)]), Route("/readyz", [(.get, ready)])]
    }

    private func live(_ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        // Another loop than this one may hang. Which of them a probe comes to is chance.
        loops.whenAllHaveTurned { call.exchange.send(.probe("ok")) }
        giveUp(call, "an event loop does not turn")
        return .later
    }

    private func ready(_ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        guard !readiness.isWithdrawn else { return .now(.probe("the server is stopping", isFailed: true)) }
        journal.check { finding in
            switch finding {
            case .success: call.exchange.send(.probe("ok"))
            case .failure(let error): call.exchange.send(.probe(error.summary, isFailed: true))
            }
        }
        giveUp(call, "the journal does not answer")
        return .later
    }

    /// Answers after a while, if nothing has by then.
    private func giveUp(_ call: Call, _ reason: String) {
        guard !call.exchange.isOver else { return }
        call.exchange.wake(after: Self.patience) { $0.send(.probe(reason, isFailed: true)) }
    }
}

extension Response {
    /// An answer for a person, of which programs read the status only.
    fileprivate static func probe(_ text: String, isFailed: Bool = false) -> Response {
        var headers: HeaderFields = ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"]
        if isFailed { headers.set("Retry-After", "1") }
        return Response(status: isFailed ? 503 : 200, headers: headers, body: Array("\(text)\n".utf8))
    }
}
