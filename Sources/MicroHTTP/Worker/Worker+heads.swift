internal import CMicroHTTPD
internal import Glibc

/// How a worker decides from a request's head whether it reads the body.
extension Worker {
    private static let reservedBodyBytes = 64 * 1_024

    /// The head was read.
    func receiveHead(
        of flight: Flight,
        method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>
    ) -> MHD_Result {
        guard let client = flight.client else { return MHD_Result.NO }
        let raw = RawHead(of: flight, client, method: method, version: version, reusing: &fieldPlaces)
        let place = knownHeads.place(for: raw)
        if let known = knownHeads.find(raw, at: place) {
            begin(flight, with: known.head)
            guard enter(flight, from: known.sender) else { return refuseAsTooMany(flight, known.head) }
            return accept(flight, known.head, known.acceptance)
        }
        return readHead(raw, place, of: flight)
    }

    /// Reads a head that is not known, and lets the application admit or refuse it. If the head is ambiguous, no byte of what follows
    /// may be read: the response is queued at once, which closes the connection after it.
    ///
    /// - Parameter place: where the head is remembered if it is accepted; nil: it is not.
    private func readHead(_ raw: RawHead, _ place: KnownHeads.Place?, of flight: Flight) -> MHD_Result {
        let received: ReceivedHead
        do throws(UnreadableHead) {
            received = try read(raw)
        } catch {
            return queue(application.response(to: error.refusal, head: nil), for: flight)
        }
        let head = received.head
        begin(flight, with: head)
        if let defect = received.targetDefect {
            let response = application.response(to: .malformedTarget(detail: defect.detail), head: head)
            return defect.isAmbiguous ? queue(response, for: flight) : refuse(flight, with: response, head)
        }
        guard enter(flight, from: received.sender) else { return refuseAsTooMany(flight, head) }
        switch application.admit(head) {
        case .refuse(let response, let label):
            flight.admissionLabel = label
            return refuse(flight, with: response, head)
        case .accept(let limit, let label, let plan):
            let acceptance = Acceptance(bodyLimitBytes: max(0, limit), label: label, plan: plan)
            let hasComeBefore = knownHeads.mark(place)
            if hasComeBefore {
                knownHeads.add(KnownHead(raw, head: head, sender: received.sender, acceptance), at: place)
            }
            return accept(flight, head, acceptance)
        }
    }

    /// A head that can be understood, except for its target if that has a defect.
    private struct ReceivedHead {
        var head: RequestHead
        /// The address that the request counts for; nil: it did not come through a proxy.
        var sender: ClientAddress?
        /// Why the target is refused; nil: it is not.
        var targetDefect: RequestTarget.Malformed?
    }

    /// A head that does not show where the request ends and who has sent it, or that leaves no memory for a response.
    private struct UnreadableHead: Error {
        var refusal: Refusal
    }

    private func read(_ raw: RawHead) throws(UnreadableHead) -> ReceivedHead {
        let (headers, isStrict) = raw.read()
        guard hasRoomForResponse(after: raw, headers) else { throw UnreadableHead(refusal: .headTooLong) }
        let version = strcmp(raw.version, "HTTP/1.1") == 0 ? "HTTP/1.1" : String(cString: raw.version)
        let framing = BodyFraming(headers, version: version)
        if let detail = Self.defect(of: headers, isStrict: isStrict, framing) {
            throw UnreadableHead(refusal: .malformedHead(detail: detail))
        }
        let sender: (host: String, address: IPAddress?)
        do throws(ForwardedFor.Malformed) {
            sender = try self.sender(of: raw.client, headers)
        } catch {
            throw UnreadableHead(refusal: .malformedHead(detail: "X-Forwarded-For must be a list of IP addresses"))
        }
        let method = HTTPMethod(raw.method)
        let (target, defect) = Self.target(raw.target, method: method)
        let length: Int? = if case .length(let bytes) = framing { bytes } else { nil }
        let head = RequestHead(
            method: method,
            target: target,
            headers: headers,
            version: version,
            contentLength: length,
            peer: sender.host
        )
        return ReceivedHead(head: head, sender: sender.address.map { ClientAddress($0) }, targetDefect: defect)
    }

    /// Why a head is ambiguous; nil: it is not.
    private static func defect(of headers: HeaderFields, isStrict: Bool, _ framing: BodyFraming) -> String? {
        guard isStrict else { return "a line of the head does not follow RFC 9112" }
        guard framing != .ambiguous else { return "the length of the body is ambiguous" }
        // The library itself refuses HTTP/1.1 without a Host.
        guard headers.count(of: "Host") <= 1 else { return "there must be exactly one Host header" }
        return nil
    }

    /// The target of a request, and why it is refused; nil: it is not.
    private static func target(
        _ bytes: [UInt8],
        method: HTTPMethod
    ) -> (target: RequestTarget, defect: RequestTarget.Malformed?) {
        do throws(RequestTarget.Malformed) {
            let target = try RequestTarget(bytes: bytes)
            guard !target.isAsterisk || method == .options else {
                return (target, RequestTarget.Malformed(detail: "the target * is only for OPTIONS"))
            }
            return (target, nil)
        } catch {
            return (RequestTarget(malformed: bytes), error)
        }
    }

    /// Whether a connection has memory for the head of a response beside that of the request. Otherwise libmicrohttpd would close
    /// the connection when the request is answered.
    private func hasRoomForResponse(after raw: RawHead, _ headers: HeaderFields) -> Bool {
        let memoryBytes = configuration.perConnectionMemoryBytes
        let room = min(Self.mostResponseHeadBytes, memoryBytes / 4)
        // The library copies cookies, and stores each as it stores a field.
        let cookieBytes = headers.values("Cookie").reduce(0) { sum, cookies in
            sum + cookies.utf8.count + (1 + cookies.utf8.count { $0 == UInt8(ascii: ";") }) * Self.bytesPerField
        }
        let argumentBytes = raw.mostArguments * Self.bytesPerField
        // The library reads into half of the memory at first, and enlarges that for a longer head. What it has read behind the head
        // stays there until the request is answered.
        let readBytes = max(memoryBytes / 2, raw.bytes.count + Self.mostBytesBehindLongHead)
        let usedBytes = readBytes + raw.places.count * Self.bytesPerField + cookieBytes + argumentBytes
        return usedBytes + room <= memoryBytes
    }

    /// The size of the longest head of a response.
    private static let mostResponseHeadBytes = 2048
    /// By how much libmicrohttpd enlarges its buffer for a head that is longer.
    private static let mostBytesBehindLongHead = 1500
    /// The memory that libmicrohttpd uses for each header, cookie and argument of a request, beside its bytes.
    private static let bytesPerField = 64

    /// The head of a request can be understood.
    private func begin(_ flight: Flight, with head: RequestHead) {
        flight.head = head
        application.began(flight.id)
    }

    /// Counts a request through a proxy as a connection of its client. Returns whether the client may have it.
    private func enter(_ flight: Flight, from sender: ClientAddress?) -> Bool {
        guard let addressCounts, let sender else { return true }
        flight.countedAddress = sender
        return addressCounts.enter(sender)
    }

    private func refuseAsTooMany(_ flight: Flight, _ head: RequestHead) -> MHD_Result {
        refuse(flight, with: application.response(to: .tooManyRequests, head: head), head)
    }

    /// Reads the body of a request that the application has accepted, unless it is announced as too long.
    private func accept(_ flight: Flight, _ head: RequestHead, _ acceptance: Acceptance) -> MHD_Result {
        flight.admissionLabel = acceptance.label
        flight.plan = acceptance.plan
        let announcedBytes = head.contentLength ?? 0
        let limitBytes = acceptance.bodyLimitBytes
        guard announcedBytes <= limitBytes else {
            let response = application.response(to: .bodyTooLarge(limitBytes: limitBytes), head: head)
            return refuse(flight, with: response, head)
        }
        flight.stage = .receiving(limit: limitBytes)
        // The announced bytes may never come, so only a little memory is reserved for them.
        if announcedBytes > 0 { flight.body.reserveCapacity(min(announcedBytes, Worker.reservedBodyBytes)) }
        return MHD_Result.YES
    }

    /// Stores a refusal until the body was dropped. It is sent at once if the client waits for 100 Continue, or if the body is
    /// too long to be read only to drop it.
    private func refuse(_ flight: Flight, with response: Response, _ head: RequestHead) -> MHD_Result {
        let framing = BodyFraming(head.headers, version: head.version)
        let drainLimit = configuration.bodyDrainLimitBytes
        let isAwaited = head.headers.withValue(of: "Expect") { $0.equalsIgnoringASCIICase("100-continue") } ?? false
        if case .length(let bytes) = framing, bytes > drainLimit || isAwaited && bytes > 0 {
            return queue(response, for: flight)
        }
        if framing == .chunked, isAwaited {
            return queue(response, for: flight)
        }
        flight.stage = .refused(response, drainLimit: drainLimit)
        return MHD_Result.YES
    }
}
