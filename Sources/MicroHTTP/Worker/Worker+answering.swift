internal import CMicroHTTPD

/// How a worker lets the application answer requests.
extension Worker {
    /// Answers a request that has arrived, with all steps.
    func answer(_ flight: Flight) -> MHD_Result {
        guard let head = flight.head else { return MHD_Result.NO }
        var (exchange, step) = start(flight, head)
        while case .next(let body) = step { step = body() }
        return finish(flight, exchange, step, isAsked: false)
    }

    /// Runs the steps of the requests that wait. Their responses wait until libmicrohttpd calls for each request again: only in
    /// such a call may a response be queued or a connection suspended. At another time, the library could use the memory of a
    /// connection that it has closed.
    func answerGroupedRequests() {
        while let first = group.take() { answerTogether(first) }
    }

    /// Takes a request, and others that wait, through the same steps.
    private func answerTogether(_ first: Flight) {
        var unfinished: [Flight] = []
        var next: Flight? = first
        while let flight = next {
            // Otherwise the client is gone.
            if case .arrived = flight.stage, let head = flight.head {
                let (exchange, step) = start(flight, head)
                if keep(step, exchange, in: flight) { unfinished.append(flight) }
            }
            next = unfinished.count < RequestGroup.mostInStep ? group.take() : nil
        }
        while !unfinished.isEmpty { unfinished = unfinished.filter(advance) }
    }

    /// Does the next step. Returns whether there is another one.
    private func advance(_ flight: Flight) -> Bool {
        guard case .stepping(let exchange, .next(let body)) = flight.stage else { return false }
        return keep(body(), exchange, in: flight)
    }

    /// Keeps what a step has returned. Returns whether there is another step.
    private func keep(_ step: Step, _ exchange: Exchange, in flight: Flight) -> Bool {
        flight.stage = .stepping(exchange, step)
        switch step {
        case .next: return true
        case .wait: return false
        case .respond(let response):
            group.add(bytes: response.body.count)
            return false
        }
    }

    /// Passes a request to the application, which does its first step.
    private func start(_ flight: Flight, _ head: RequestHead) -> (exchange: Exchange, step: Step) {
        let exchange = Exchange(
            mailbox: mailbox,
            budget: responseBudget,
            streamBufferBytes: configuration.streamBufferBytes
        )
        flight.stage = .responding(exchange)
        let request = Request(head: head, body: flight.body, plan: flight.plan)
        flight.body = []
        return (exchange, application.respond(to: request, over: exchange))
    }

    /// Queues the response, or suspends the connection until there is one. Only a call by the library may do this.
    ///
    /// - Parameter isAsked: see ``settle(_:of:isAsked:)``.
    func finish(
        _ flight: Flight,
        _ exchange: Exchange,
        _ last: consuming Step,
        isAsked: Bool = true
    ) -> MHD_Result {
        guard case .respond(let response) = consume last, exchange.close() else {
            return settle(exchange, of: flight, isAsked: isAsked)
        }
        return queue(response, for: flight)
    }
}
