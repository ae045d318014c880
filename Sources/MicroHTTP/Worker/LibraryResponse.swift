internal import CMicroHTTPD
internal import Glibc

/// Makes libmicrohttpd's form of a response, which retains the body. The caller destroys it after queueing it. nil: it cannot be
/// sent.
func makeLibraryResponse(_ response: Response, closing: Bool) -> OpaquePointer? {
    guard isFinal(response.status), let made = makeLibraryResponse(body: response.body) else { return nil }
    return addHeaders(response.headers, to: made, closing: closing)
}

/// The same for a stream. The response retains the reader as long as the library may ask for bytes.
func makeLibraryResponse(_ head: StreamHead, reader: StreamReader, closing: Bool) -> OpaquePointer? {
    guard isFinal(head.status) else { return nil }
    let retained = Unmanaged.passRetained(reader)
    // The library uses the block only for bodies without chunks, but allocates one for every stream, so it is small.
    let made = microhttp_stream_response(1_024, readStream, retained.toOpaque(), releaseStream)
    guard let made else {
        retained.release()
        return nil
    }
    return addHeaders(head.headers, to: made, closing: closing)
}

private func isFinal(_ status: Int) -> Bool {
    (200...999).contains(status)
}

/// Returns the response with the headers; one for which that fails is destroyed.
private func addHeaders(_ headers: HeaderFields, to made: OpaquePointer, closing: Bool) -> OpaquePointer? {
    let isComplete = headers.bytes.withUnsafeBufferPointer { bytes in
        headers.places.allSatisfy { place in
            let name = UnsafeBufferPointer(rebasing: bytes[Int(place.name.lowerBound)..<Int(place.name.upperBound)])
            let value = UnsafeBufferPointer(rebasing: bytes[Int(place.value.lowerBound)..<Int(place.value.upperBound)])
            return isLeftToTheLibrary(name, place.digest, value)
                || canBeSent(name, value, place.origin) && add(name, value, to: made)
        }
    }
    guard isComplete else {
        MHD_destroy_response(made)
        return nil
    }
    if closing, MHD_add_response_header(made, "Connection", "close") != MHD_Result.YES {
        MHD_destroy_response(made)
        return nil
    }
    return made
}

private func makeLibraryResponse(body: ResponseBody) -> OpaquePointer? {
    guard body.count > 0 else {
        return MHD_create_response_from_buffer(0, nil, MHD_ResponseMemoryMode.RESPMEM_PERSISTENT)
    }
    guard let memory = body.memory() else { return nil }
    let owner = Unmanaged.passRetained(memory)
    let made = MHD_create_response_from_buffer_with_free_callback_cls(
        body.count,
        memory.start,
        releaseBody,
        owner.toOpaque()
    )
    if made == nil { owner.release() }
    return made
}

/// The library does not need a body any more.
private func releaseBody(owner: UnsafeMutableRawPointer?) {
    if let owner { Unmanaged<ResponseBody.Memory>.fromOpaque(owner).release() }
}

private func isLeftToTheLibrary(
    _ name: UnsafeBufferPointer<UInt8>,
    _ digest: HeaderName.Digest,
    _ value: UnsafeBufferPointer<UInt8>
) -> Bool {
    return value.isEmpty || isOne("Content-Length") || isOne("Transfer-Encoding")

    func isOne(_ other: HeaderName) -> Bool {
        digest == other.digest && name.equalsIgnoringASCIICase(other.utf8)
    }
}

private func canBeSent(
    _ name: UnsafeBufferPointer<UInt8>,
    _ value: UnsafeBufferPointer<UInt8>,
    _ origin: HeaderFields.Origin
) -> Bool {
    switch origin {
    case .constantNameAndPlainValue: true
    case .constantName: value.isFieldValue
    case .unknown: name.isToken && value.isFieldValue
    }
}

/// Adds a field that can be sent, whose name and value have a NUL after them. Returns whether there was memory for it.
private func add(
    _ name: UnsafeBufferPointer<UInt8>,
    _ value: UnsafeBufferPointer<UInt8>,
    to made: OpaquePointer
) -> Bool {
    guard let nameStart = name.baseAddress, let valueStart = value.baseAddress else { return false }
    return nameStart.withMemoryRebound(to: CChar.self, capacity: name.count + 1) { name in
        valueStart.withMemoryRebound(to: CChar.self, capacity: value.count + 1) { value in
            MHD_add_response_header(made, name, value) == MHD_Result.YES
        }
    }
}
