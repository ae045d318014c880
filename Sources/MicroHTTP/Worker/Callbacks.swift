internal import CMicroHTTPD
internal import Glibc

// libmicrohttpd calls these on the worker's thread, from within MHD_run. They unwrap their arguments and call one
// method each. They stand at file scope because a closure formed on the main actor would trap on another thread.

/// The request line was read: its raw target begins the flight of the connection, which libmicrohttpd hands to the calls
/// below.
func beginFlight(
    context: UnsafeMutableRawPointer?,
    target: UnsafePointer<CChar>?,
    connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let context, let connection, let client = microhttp_socket_context(connection) else { return nil }
    let raw = UnsafeRawBufferPointer(start: target, count: target.map { strlen($0) } ?? 0)
    let connected = Unmanaged<ClientConnection>.fromOpaque(client).takeUnretainedValue()
    Unmanaged<Worker>.fromOpaque(context).takeUnretainedValue().begin(connected.flight, of: connected, rawTarget: raw)
    // The connection, which ends after its last request, retains the flight.
    return Unmanaged.passUnretained(connected.flight).toOpaque()
}

/// The head, a part of the body, or the end of the body was read, or the connection was resumed.
func continueFlight(
    context: UnsafeMutableRawPointer?,
    connection: OpaquePointer?,
    url: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?,
    version: UnsafePointer<CChar>?,
    upload: UnsafePointer<CChar>?,
    uploadSize: UnsafeMutablePointer<Int>?,
    request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context, let method, let version, let uploadSize, let flight = request?.pointee else {
        return MHD_Result.NO
    }
    let part = upload.map { UnsafeRawBufferPointer(start: $0, count: uploadSize.pointee) }
    // Every part counts as read, whether it is used or dropped. libmicrohttpd would pass on the rest again at once.
    uploadSize.pointee = 0
    return Unmanaged<Worker>.fromOpaque(context).takeUnretainedValue().advance(
        Unmanaged<Flight>.fromOpaque(flight).takeUnretainedValue(),
        part: part,
        method: method,
        version: version
    )
}

/// The response was sent, or the connection has ended.
func endFlight(
    context: UnsafeMutableRawPointer?,
    connection: OpaquePointer?,
    request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    reason: MHD_RequestTerminationCode
) {
    guard let context, let request, let flight = request.pointee else { return }
    request.pointee = nil
    Unmanaged<Worker>.fromOpaque(context).takeUnretainedValue().complete(
        Unmanaged<Flight>.fromOpaque(flight).takeUnretainedValue(),
        isComplete: reason == MHD_RequestTerminationCode.REQUEST_TERMINATED_COMPLETED_OK
    )
}

/// A client was accepted, or its connection is closed. This is the only place that creates and releases its
/// ``ClientConnection``.
func followConnection(
    context: UnsafeMutableRawPointer?,
    connection: OpaquePointer?,
    kept: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    event: MHD_ConnectionNotificationCode
) {
    guard let context, let connection, let kept else { return }
    let worker = Unmanaged<Worker>.fromOpaque(context).takeUnretainedValue()
    switch event {
    case .CONNECTION_NOTIFY_STARTED:
        let client = ClientConnection(connection, worker.credentials, worker.configuration)
        kept.pointee = Unmanaged.passRetained(client).toOpaque()
        worker.connect(client)
    case .CONNECTION_NOTIFY_CLOSED:
        guard let client = kept.pointee else { return }
        kept.pointee = nil
        worker.disconnect(Unmanaged<ClientConnection>.fromOpaque(client).takeRetainedValue())
    @unknown default:
        break
    }
}

/// A TLS handshake needs a certificate and its key, which it reads and does not release.
func retrieveIdentity(
    session: gnutls_session_t?,
    names: UnsafePointer<gnutls_datum_t>?,
    nameCount: CInt,
    algorithms: UnsafePointer<gnutls_pk_algorithm_t>?,
    algorithmCount: CInt,
    chain: UnsafeMutablePointer<UnsafeMutablePointer<gnutls_pcert_st>?>?,
    count: UnsafeMutablePointer<CUnsignedInt>?,
    key: UnsafeMutablePointer<gnutls_privkey_t?>?
) -> CInt {
    guard let session, let connection = microhttp_connection_of_session(session),
        let context = microhttp_socket_context(connection),
        let credentials = Unmanaged<ClientConnection>.fromOpaque(context).takeUnretainedValue().credentials
    else { return -1 }
    let identity = credentials.identity
    chain?.pointee = microhttp_identity_chain(identity)
    count?.pointee = identity.pointee.count
    key?.pointee = identity.pointee.key
    return 0
}
