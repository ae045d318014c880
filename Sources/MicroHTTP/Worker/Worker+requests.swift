internal import CMicroHTTPD
internal import Glibc
internal import Logging

/// What a worker does with a request, step by step as libmicrohttpd reads it.
///
/// Each step returns YES to continue and NO to close the connection without a response. A response may only be queued
/// when no byte of the body is pending: with the head, which makes libmicrohttpd close the connection afterwards, or
/// after the body. So a refusal is stored and the body dropped, so that the client can read the answer.
extension Worker {
    private static let reservedBodyBytes = 64 * 1_024

    /// A request line was read.
    func begin(_ flight: Flight, of client: ClientConnection, rawTarget: [UInt8]) {
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
        responseBudget.giveBack(flight.budgetedBytes)
        if let address = flight.countedAddress { addressCounts?.leave(address) }
        if let client = flight.client { resting.add(client, at: turnStart) }
        switch flight.stage {
        case .began, .receiving, .refused, .answered:
            break
        case .responding(let exchange):
            waiting.removeValue(forKey: ObjectIdentifier(exchange))
            if case .stream(_, let stream) = exchange.end() {
                stream.finish(.dropped)
            }
        case .streaming(let reader):
            readers.removeValue(forKey: ObjectIdentifier(reader.stream))
            reader.stream.finish(isComplete ? .complete : .broken)
        }
    }

    /// The request has arrived completely.
    private func received(_ flight: Flight) {
        flight.client?.leaveQueue()
    }

    /// The head was read, or a part of the body, which is empty at its end, or the connection was resumed.
    func advance(
        _ flight: Flight,
        part: UnsafeRawBufferPointer,
        method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>
    ) -> MHD_Result {
        switch flight.stage {
        case .began:
            return receiveHead(of: flight, method: method, version: version)
        case .receiving(let limit):
            return part.isEmpty ? respond(to: flight) : receive(part, of: flight, limit: limit)
        case .refused(let response, let drainLimit):
            flight.receivedBytes += part.count
            guard flight.receivedBytes <= drainLimit else { return MHD_Result.NO }
            return part.isEmpty ? queue(response, for: flight) : MHD_Result.YES
        case .responding(let exchange):
            return settle(exchange, of: flight)
        case .streaming, .answered:
            return MHD_Result.YES
        }
    }

    private func receiveHead(
        of flight: Flight,
        method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>
    ) -> MHD_Result {
        let end = method + microhttp_head_size(flight.connection)
        let collected = collectHead(of: flight.connection, HeadForm(version: version, end: end))
        let headers = collected.fields
        let versionText = strcmp(version, "HTTP/1.1") == 0 ? "HTTP/1.1" : String(cString: version)
        let framing = BodyFraming(headers, version: versionText)
        let method = HTTPMethod(method)
        if let detail = Self.defect(of: collected, framing) {
            let refusal = Refusal.malformedHead(detail: detail)
            // No byte of what follows may be read, so the answer is sent at once and the connection closed.
            return queue(application.response(to: refusal, head: nil), for: flight)
        }
        guard let sender = sender(of: flight.client, headers) else {
            let detail = "X-Forwarded-For must be a list of IP addresses"
            return queue(application.response(to: .malformedHead(detail: detail), head: nil), for: flight)
        }
        let target: RequestTarget
        do {
            target = try self.target(of: flight, method: method)
        } catch {
            let response = application.response(to: .malformedTarget(detail: error.detail), head: nil)
            return refuse(flight, with: response, headers: headers, framing: framing)
        }
        let length: Int? = if case .length(let bytes) = framing { bytes } else { nil }
        let head = RequestHead(
            method: method,
            target: target,
            headers: headers,
            version: versionText,
            contentLength: length,
            peer: sender.host,
            id: flight.id
        )
        flight.head = head
        if let addressCounts, let address = sender.address.map({ ClientAddress($0) }) {
            flight.countedAddress = address
            guard addressCounts.enter(address) else {
                let response = application.response(to: .tooManyRequests, head: head)
                return refuse(flight, with: response, headers: headers, framing: framing)
            }
        }
        return admit(flight, head: head, framing: framing)
    }

    private func admit(_ flight: Flight, head: RequestHead, framing: BodyFraming) -> MHD_Result {
        let limit: Int
        switch application.admit(head) {
        case .refuse(let response, let label):
            flight.admissionLabel = label
            return refuse(flight, with: response, headers: head.headers, framing: framing)
        case .accept(let bytes, let label):
            flight.admissionLabel = label
            limit = max(0, bytes)
        }
        let announcedBytes = head.contentLength ?? 0
        guard announcedBytes <= limit else {
            let response = application.response(to: .bodyTooLarge(limitBytes: limit), head: head)
            return refuse(flight, with: response, headers: head.headers, framing: framing)
        }
        flight.stage = .receiving(limit: limit)
        // The announced bytes may never come, so only a little memory is reserved for them.
        flight.body.reserveCapacity(min(announcedBytes, Worker.reservedBodyBytes))
        return MHD_Result.YES
    }

    private func target(of flight: Flight, method: HTTPMethod) throws(RequestTarget.Malformed) -> RequestTarget {
        let target = try RequestTarget(bytes: flight.rawTarget)
        guard !target.isAsterisk || method == .options else {
            throw RequestTarget.Malformed(detail: "the target * is only for OPTIONS")
        }
        return target
    }

    /// Stores a refusal until the body was dropped. It is sent at once if the client waits for 100 Continue, or if the body is
    /// too long to be read only to drop it.
    private func refuse(
        _ flight: Flight,
        with response: Response,
        headers: HeaderFields,
        framing: BodyFraming
    ) -> MHD_Result {
        let drainLimit = configuration.bodyDrainLimitBytes
        let isAwaited = headers.withValue(of: "Expect") { $0.equalsIgnoringASCIICase("100-continue") } ?? false
        if case .length(let bytes) = framing, bytes > drainLimit || isAwaited && bytes > 0 {
            return queue(response, for: flight)
        }
        if framing == .chunked, isAwaited {
            return queue(response, for: flight)
        }
        flight.stage = .refused(response, drainLimit: drainLimit)
        return MHD_Result.YES
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

    private func respond(to flight: Flight) -> MHD_Result {
        guard let head = flight.head else { return MHD_Result.NO }
        received(flight)
        let exchange = Exchange(
            mailbox: mailbox,
            budget: responseBudget,
            streamBufferBytes: configuration.streamBufferBytes
        )
        flight.stage = .responding(exchange)
        let request = Request(head: head, body: flight.body, admissionLabel: flight.admissionLabel)
        flight.body = []
        application.respond(to: request, over: exchange)
        return settle(exchange, of: flight)
    }

    /// Queues the answer if there is one, or suspends the connection until there is.
    private func settle(_ exchange: Exchange, of flight: Flight) -> MHD_Result {
        switch exchange.settle() {
        case .queue(.whole(let response)):
            return queue(response, for: flight)
        case .queue(.stream(let head, let stream)):
            return begin(head, stream, for: flight)
        case .suspend:
            waiting[ObjectIdentifier(exchange)] = flight
            MHD_suspend_connection(flight.connection)
            return MHD_Result.YES
        case .drop:
            return MHD_Result.NO
        }
    }

    /// Queues a response. If it cannot be sent, the application's response for that case is queued, or a 500 without a body.
    private func queue(_ response: consuming Response, for flight: Flight) -> MHD_Result {
        flight.stage = .answered
        received(flight)
        let status = response.status
        if tryQueue(withinBudget(response, for: flight), for: flight) { return MHD_Result.YES }
        return queueFailure(status: status, for: flight)
    }

    /// The response if there is room for its bytes, and otherwise the application's for that case.
    private func withinBudget(_ response: consuming Response, for flight: Flight) -> Response {
        guard let taken = responseBudget.take(response.body.count) else {
            return application.response(to: .overloaded, head: flight.head)
        }
        flight.budgetedBytes = taken
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
        application.complete(&response.headers, of: flight.id, head: flight.head)
        guard let made = makeLibraryResponse(response, closing: isStopping) else { return false }
        // The connection has another reference until the last byte is sent.
        defer { MHD_destroy_response(made) }
        flight.status = response.status
        flight.answerLabel = response.label
        flight.remark = response.remark
        return MHD_queue_response(flight.connection, UInt32(response.status), made) == MHD_Result.YES
    }

    private func collectHead(of connection: OpaquePointer, _ form: HeadForm) -> CollectedHead {
        var head = CollectedHead(form: form)
        head.fields.reserve(fieldCount: 8, byteCount: 512)
        withUnsafeMutablePointer(to: &head) { head in
            _ = MHD_get_connection_values_n(connection, MHD_ValueKind.HEADER_KIND, collectField, head)
        }
        return head
    }

    /// Why a head is ambiguous; nil: it is not.
    private static func defect(of head: CollectedHead, _ framing: BodyFraming) -> String? {
        guard head.form.isStrict else { return "a line of the head does not follow RFC 9112" }
        guard framing != .ambiguous else { return "the length of the body is ambiguous" }
        // The library itself refuses HTTP/1.1 without a Host.
        guard head.fields.count(of: "Host") <= 1 else { return "there must be exactly one Host header" }
        return nil
    }
}
