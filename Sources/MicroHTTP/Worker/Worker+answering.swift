internal import CMicroHTTPD

/// A request that the application answers in steps, with what its last step has returned.
private struct Answering {
    let flight: Flight
    let exchange: Exchange
    private var step: Step

    init(_ flight: Flight, _ exchange: Exchange, _ step: Step) {
        self.flight = flight
        self.exchange = exchange
        self.step = step
    }

    /// Whether there is another step.
    var isUnfinished: Bool {
        if case .next = step { true } else { false }
    }

    /// Does the next step.
    mutating func advance() {
        if case .next(let body) = step { step = body() }
    }

    /// Passes on what the last step has returned. It is not retained here, so that headers can be added to a response in its own
    /// memory.
    mutating func takeStep() -> Step {
        let last = step
        step = .wait
        return last
    }
}

/// How a worker lets the application answer requests.
extension Worker {
    /// Answers a request that has arrived, with all steps.
    func answer(_ flight: Flight) -> MHD_Result {
        guard let head = flight.head else { return MHD_Result.NO }
        let exchange = beginExchange(for: flight)
        var step = start(flight, head, exchange)
        while case .next(let body) = step { step = body() }
        return finish(flight, exchange, step)
    }

    /// Answers the requests that have waited for this turn.
    func answerWaitingRequests() {
        while let first = requests.take() { answerTogether(first) }
    }

    /// Takes a request, and others that wait, through the same steps.
    private func answerTogether(_ first: Flight) {
        var answerings: [Answering] = []
        var next: Flight? = first
        while let flight = next {
            // Otherwise the client is gone.
            if case .arrived = flight.stage, let head = flight.head {
                let exchange = beginExchange(for: flight)
                var answering = Answering(flight, exchange, start(flight, head, exchange))
                if answering.isUnfinished { answerings.append(answering) } else { decide(&answering) }
            }
            next = answerings.count < RequestGroup.mostInStep ? requests.take() : nil
        }
        while !answerings.isEmpty {
            for index in answerings.indices { answerings[index].advance() }
            for index in answerings.indices where !answerings[index].isUnfinished { decide(&answerings[index]) }
            answerings.removeAll { !$0.isUnfinished }
        }
    }

    private func beginExchange(for flight: Flight) -> Exchange {
        let exchange = Exchange(
            mailbox: mailbox,
            budget: responseBudget,
            streamBufferBytes: configuration.streamBufferBytes
        )
        flight.stage = .responding(exchange)
        return exchange
    }

    /// Does the first step.
    private func start(_ flight: Flight, _ head: RequestHead, _ exchange: Exchange) -> Step {
        let request = Request(head: head, body: flight.body, plan: flight.plan)
        flight.body = []
        return application.respond(to: request, over: exchange)
    }

    /// Keeps what the last step has returned until libmicrohttpd asks for the response. A response may be queued and a connection
    /// suspended only in a call by the library, which else uses memory of a connection that it has closed.
    private func decide(_ answering: inout Answering) {
        let last = answering.takeStep()
        if case .respond(let response) = last { requests.add(bytes: response.body.count) }
        answering.flight.stage = .decided(answering.exchange, last)
    }

    /// Queues the response, or suspends the connection until there is one. Only a call by the library may do this.
    func finish(_ flight: Flight, _ exchange: Exchange, _ last: consuming Step) -> MHD_Result {
        guard case .respond(let response) = consume last, exchange.close() else { return settle(exchange, of: flight) }
        return queue(response, for: flight)
    }
}
