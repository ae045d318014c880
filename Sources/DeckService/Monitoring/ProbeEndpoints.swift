import MicroHTTP

/// Probes for operators: whether the server is alive, and whether it is ready.
struct ProbeEndpoints: Sendable {
    var readiness: Readiness
    var journal: JournalWatch
    var loops: LoopWatch

    var routes: [Route] {
        let live = Endpoint(access: .open, produces: "text/plain") { call throws(Problem) in try self.live(call) }
        let ready = Endpoint(access: .open, produces: "text/plain") { call throws(Problem) in try self.ready(call) }
        return [Route("/livez", [(.get, live)]), Route("/readyz", [(.get, ready)])]
    }

    private func live(_ call: Call) throws(Problem) -> Reply {
        // Another loop than this one may hang. Which of them a probe comes to is chance.
        let exchange = call.exchange
        let isAwaited = loops.whenAllHaveTurned { exchange.send(.probe("ok")) }
        return answer(exchange, isAwaited, otherwise: "an event loop does not turn")
    }

    private func ready(_ call: Call) throws(Problem) -> Reply {
        guard !readiness.isWithdrawn else { return .now(.probe("the server is stopping", isFailed: true)) }
        // Without the call, nothing that waits refers to the service.
        let exchange = call.exchange
        let isAwaited = journal.check { finding in
            switch finding {
            case .success: exchange.send(.probe("ok"))
            case .failure(let error): exchange.send(.probe(error.summary, isFailed: true))
            }
        }
        return answer(exchange, isAwaited, otherwise: "the journal does not answer")
    }

    /// - Parameters:
    ///   - isAwaited: whether a check answers. If it takes too long, the answer is that of a failed check.
    ///   - reason: why the check has failed.
    private func answer(_ exchange: Exchange, _ isAwaited: Bool, otherwise reason: String) -> Reply {
        guard isAwaited else { return .now(.probe(reason, isFailed: true)) }
        if !exchange.isOver {
            exchange.wake(after: CheckWaiters<Void>.patience) { $0.send(.probe(reason, isFailed: true)) }
        }
        return .later
    }
}

extension Response {
    /// An answer for a person, of which programs read the status only.
    fileprivate static func probe(_ text: String, isFailed: Bool = false) -> Response {
        var headers = HeaderFields.notStored(type: "text/plain; charset=utf-8")
        if isFailed { headers.set("Retry-After", "1") }
        return Response(status: isFailed ? 503 : 200, headers: headers, body: Array("\(text)\n".utf8))
    }
}
