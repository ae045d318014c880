internal import CMicroHTTPD
internal import Glibc
internal import Logging

/// What a worker does with a request, call by call as libmicrohttpd reads it.
///
/// Each call returns YES to continue and NO to close the connection without a response. A response may only be queued in a call
/// without a part of the body: with the head, which makes libmicrohttpd close the connection afterwards, or after the body. So a
/// refusal is stored and the body dropped, so that the client can read the answer.
extension Worker {
    /// A request line was read.
    func begin(_ flight: Flight, of client: ClientConnection, rawTarget: UnsafeRawBufferPointer) {
        flight.begin(id: requestIDs.take(), rawTarget: rawTarget)
        activeRequests += 1
        beginReceiving(client)
    }

    /// libmicrohttpd has finished a request: the whole answer was sent, or the connection was lost.
    func complete(_ flight: Flight, isComplete: Bool) {
        activeRequests -= 1
        defer {
            application.ended(flight.report(isComplete: isComplete))
            flight.end()
        }
        responseBudget.release(flight.budgetedBytes)
        if let address = flight.countedAddress { addressCounts?.leave(address) }
        if let client = flight.client { resting.add(client, at: turnStart) }
        switch flight.stage {
        case .began, .receiving, .refused, .arrived, .answered:
            break
        case .responding(let exchange), .stepping(let exchange, _):
            abandon(exchange)
        case .streaming(let reader):
            readers.removeValue(forKey: ObjectIdentifier(reader.stream))
            reader.stream.finish(isComplete ? .complete : .broken)
        }
    }

    /// The client of a request that is not answered has left.
    func abandon(_ exchange: Exchange) {
        suspended.removeValue(forKey: ObjectIdentifier(exchange))
        if case .stream(_, let stream) = exchange.end() {
            stream.finish(.dropped)
        }
    }

    /// The head was read, or a part of the body, or the end of the body, or the connection was resumed.
    ///
    /// - Parameter part: nil except for a part of the body. An empty part is not the end: after `100 Continue` libmicrohttpd 0.9.75
    ///   passes one if the request has no body and the next request has come.
    func advance(
        _ flight: Flight,
        part: UnsafeRawBufferPointer?,
        method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>
    ) -> MHD_Result {
        pacing.noteProgress()
        switch flight.stage {
        case .began:
            return receiveHead(of: flight, method: method, version: version)
        case .receiving(let limit):
            guard let part else { return arrive(flight) }
            return receive(part, of: flight, limit: limit)
        case .refused(let response, let drainLimit):
            guard let part else { return queue(response, for: flight) }
            flight.receivedBytes += part.count
            return flight.receivedBytes <= drainLimit ? MHD_Result.YES : MHD_Result.NO
        case .stepping(let exchange, let last):
            // The response is not retained there any more.
            flight.stage = .responding(exchange)
            return finish(flight, exchange, last)
        case .responding(let exchange):
            return settle(exchange, of: flight, isAsked: true)
        case .arrived, .streaming, .answered:
            return MHD_Result.YES
        }
    }

    private func receive(_ part: UnsafeRawBufferPointer, of flight: Flight, limit: Int) -> MHD_Result {
        flight.receivedBytes += part.count
        if flight.receivedBytes <= limit {
            flight.body.append(contentsOf: part)
        } else {
            flight.body = []
            let response = application.response(to: .bodyTooLarge(limitBytes: limit), head: flight.head)
            let (drainLimit, isTooMuch) = limit.addingReportingOverflow(configuration.bodyDrainLimitBytes)
            flight.stage = .refused(response, drainLimit: isTooMuch ? .max : drainLimit)
        }
        return MHD_Result.YES
    }

    /// The body has ended. The request is answered now or in the next turn.
    private func arrive(_ flight: Flight) -> MHD_Result {
        flight.client?.leaveQueue()
        guard group.takesNow(flight) else {
            flight.stage = .arrived
            return MHD_Result.YES
        }
        return answer(flight)
    }

    /// Queues the answer if there is one, or suspends the connection until there is.
    ///
    /// - Parameter isAsked: whether the library has called for the response, and not with the request. A connection that is
    ///   suspended in the call with its request is read first when it is resumed. If the client has shut down its side, the library
    ///   would then close it without the response. So it is suspended in the next call, which comes in the next turn.
    func settle(_ exchange: Exchange, of flight: Flight, isAsked: Bool) -> MHD_Result {
        switch exchange.settle() {
        case .queue(.whole(let response)):
            return queue(response, for: flight)
        case .queue(.stream(let head, let stream)):
            return begin(head, stream, for: flight)
        case .suspend where !isAsked:
            return MHD_Result.YES
        case .suspend:
            suspended[ObjectIdentifier(exchange)] = flight
            if let client = flight.client { waiting.add(client, at: turnStart) }
            MHD_suspend_connection(flight.connection)
            return MHD_Result.YES
        case .drop:
            return MHD_Result.NO
        }
    }

    /// Queues a response. If it cannot be sent, the application's response for that case is queued, or a 500 without a body.
    func queue(_ response: consuming Response, for flight: Flight) -> MHD_Result {
        flight.stage = .answered
        flight.client?.leaveQueue()
        let status = response.status
        if tryQueue(withinBudget(response, for: flight), for: flight) { return MHD_Result.YES }
        return queueFailure(status: status, for: flight)
    }

    /// The response if there is room for its bytes, and otherwise the application's for that case.
    private func withinBudget(_ response: consuming Response, for flight: Flight) -> Response {
        let isOfChange = flight.head.map { !$0.method.isSafe } ?? false
        let bytes = response.status == 304 || response.body.isLasting ? 0 : response.body.count
        guard let reserved = responseBudget.reserve(bytes, isOfChange: isOfChange) else {
            return application.response(to: .overloaded(status: response.status), head: flight.head)
        }
        flight.budgetedBytes = reserved
        pacing.add(responseBytes: response.body.count)
        return response
    }

    /// Answers that the response could not be sent.
    func queueFailure(status: Int, for flight: Flight) -> MHD_Result {
        flight.stage = .answered
        let target = flight.head?.target.path ?? ""
        logger.error("a response with status \(status) could not be sent", metadata: ["path": "\(target)"])
        if tryQueue(application.response(to: .failed, head: flight.head), for: flight) { return MHD_Result.YES }
        return tryQueue(Response(status: 500), for: flight) ? MHD_Result.YES : MHD_Result.NO
    }

    private func tryQueue(_ response: consuming Response, for flight: Flight) -> Bool {
        application.addHeaders(to: &response.headers, of: flight.id, head: flight.head)
        guard let made = makeLibraryResponse(response, closing: isStopping) else { return false }
        // The connection has another reference until the last byte is sent.
        defer { MHD_destroy_response(made) }
        flight.status = response.status
        flight.answerLabel = response.label
        flight.remark = response.remark
        return MHD_queue_response(flight.connection, UInt32(response.status), made) == MHD_Result.YES
    }
}
