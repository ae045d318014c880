internal import Glibc

/// Why a server did not start.
public enum ServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A number of the configuration is out of its range.
    case invalidSetting(name: String, value: Int, allowed: ClosedRange<Int>)
    /// The host is neither an address nor a name that can be looked up.
    case cannotResolve(host: String, reason: String)
    /// Another process, or another server of this process, listens there already.
    case portInUse(host: String, port: Int)
    /// The process may not listen there; ports below 1024 are often reserved.
    case permissionDenied(host: String, port: Int)
    /// The address is not one of this machine's.
    case addressNotAvailable(host: String)
    /// The server was started before; a server runs once.
    case alreadyStarted
    /// libmicrohttpd did not start; its reason was logged at debug level.
    case libraryRefused
    /// TLS is configured, but the libmicrohttpd of this system does not support it.
    case tlsUnavailable
    /// GnuTLS refuses the certificate or the key, or the key does not belong to the certificate.
    case tlsRefused(reason: String)
    /// An inherited descriptor is not a listening TCP socket.
    case notListening(descriptor: Int32)
    /// A system call failed with this `errno`.
    case system(call: String, code: Int32)

    /// One line for the operator.
    public var description: String {
        switch self {
        case .invalidSetting(let name, let value, let allowed):
            "\(name) is \(value), but must be between \(allowed.lowerBound) and \(allowed.upperBound)"
        case .cannotResolve(let host, let reason):
            "cannot find the host \(host): \(reason)"
        case .portInUse(let host, let port):
            "port \(port) on \(host) is in use by another server"
        case .permissionDenied(let host, let port):
            "not permitted to listen on port \(port) of \(host)"
        case .addressNotAvailable(let host):
            "\(host) is not an address of this machine"
        case .alreadyStarted:
            "the server was started before"
        case .libraryRefused:
            "libmicrohttpd did not start"
        case .tlsUnavailable:
            "libmicrohttpd was built without TLS"
        case .tlsRefused(let reason):
            "the certificate or its key cannot be used: \(reason)"
        case .notListening(let descriptor):
            "descriptor \(descriptor) is not a listening TCP socket"
        case .system(let call, let code):
            "\(call) failed: \(String(cString: strerror(code)))"
        }
    }
}
