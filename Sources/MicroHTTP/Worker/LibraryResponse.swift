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
    let isComplete = headers.allSatisfy { field in
        isLeftToTheLibrary(field) || canBeSent(field) && add(field, to: made)
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

private func isLeftToTheLibrary(_ field: HeaderFields.RawField) -> Bool {
    return field.value.isEmpty || isOne("Content-Length") || isOne("Transfer-Encoding")

    func isOne(_ other: HeaderName) -> Bool {
        field.digest == other.digest && field.name.equalsIgnoringASCIICase(other.utf8)
    }
}

private func canBeSent(_ field: HeaderFields.RawField) -> Bool {
    switch field.origin {
    case .constantNameAndPlainValue: true
    case .constantName: field.value.isFieldValue
    case .unknown: field.name.isToken && field.value.isFieldValue
    }
}

/// Adds a field that can be sent, whose name and value have a NUL after them. Returns whether there was memory for it.
private func add(_ field: HeaderFields.RawField, to made: OpaquePointer) -> Bool {
    guard let nameStart = field.name.baseAddress, let valueStart = field.value.baseAddress else { return false }
    return nameStart.withMemoryRebound(to: CChar.self, capacity: field.name.count + 1) { name in
        valueStart.withMemoryRebound(to: CChar.self, capacity: field.value.count + 1) { value in
            MHD_add_response_header(made, name, value) == MHD_Result.YES
        }
    }
}
