internal import CMicroHTTPD
internal import Glibc

/// Makes libmicrohttpd's copy of a response, to be destroyed after it was queued; nil when it cannot be sent.
///
/// The library gets its own copy of the body, as it sends it after the Swift value is gone.
func makeLibraryResponse(_ response: Response, closing: Bool) -> OpaquePointer? {
    guard isFinal(response.status), let made = makeLibraryResponse(body: response.body) else { return nil }
    return complete(made, headers: response.headers, closing: closing)
}

/// The same for a stream; it keeps the reader for as long as the library may ask for bytes.
func makeLibraryResponse(_ head: StreamHead, reader: StreamReader, closing: Bool) -> OpaquePointer? {
    guard isFinal(head.status) else { return nil }
    let retained = Unmanaged.passRetained(reader)
    // Blocks are only used for bodies without chunks, and every stream has one, so they are small.
    let made = microhttp_stream_response(1_024, readStream, retained.toOpaque(), releaseStream)
    guard let made else {
        retained.release()
        return nil
    }
    return complete(made, headers: head.headers, closing: closing)
}

private func isFinal(_ status: Int) -> Bool {
    (200...999).contains(status)
}

/// Adds the header fields; a response for which that fails is destroyed.
private func complete(_ made: OpaquePointer, headers: HeaderFields, closing: Bool) -> OpaquePointer? {
    for field in headers.fields where !isLeftToTheLibrary(field) {
        guard field.name.isToken, field.value.isFieldValue,
            MHD_add_response_header(made, field.name, field.value) == MHD_Result.YES
        else {
            MHD_destroy_response(made)
            return nil
        }
    }
    if closing, MHD_add_response_header(made, "Connection", "close") != MHD_Result.YES {
        MHD_destroy_response(made)
        return nil
    }
    return made
}

private func makeLibraryResponse(body: [UInt8]) -> OpaquePointer? {
    guard let copy = malloc(max(1, body.count)) else { return nil }
    body.withUnsafeBytes { bytes in
        if let start = bytes.baseAddress {
            memcpy(copy, start, bytes.count)
        }
    }
    guard let made = MHD_create_response_from_buffer_with_free_callback_cls(body.count, copy, free, copy) else {
        free(copy)
        return nil
    }
    return made
}

private func isLeftToTheLibrary(_ field: HeaderFields.Field) -> Bool {
    field.value.isEmpty || field.name.equalsIgnoringASCIICase("Content-Length")
        || field.name.equalsIgnoringASCIICase("Transfer-Encoding")
}

extension String {
    /// Whether it is a token of RFC 9110, section 5.6.2.
    fileprivate var isToken: Bool {
        !isEmpty && utf8.allSatisfy(\.isTokenCharacter)
    }

    /// Whether it can stand in a header: no control characters but the tab. CR and LF would begin a field of their
    /// own, and at a NUL the library would cut it.
    fileprivate var isFieldValue: Bool {
        utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }
    }
}
