/// Whether only this machine can reach the host: a numeric address or `localhost`.
public func isLoopback(_ host: String) -> Bool {
    host == "localhost" || IPAddress(host)?.isLoopback == true
}

/// Whether two hosts are the same, or one of them includes the other, as `0.0.0.0` includes all IPv4 addresses. Names are not
/// looked up; `localhost` is 127.0.0.1.
public func isSameHost(_ host: String, _ other: String) -> Bool {
    let addresses = [host, other].map { IPAddress($0 == "localhost" ? "127.0.0.1" : $0) }
    guard let first = addresses[0], let second = addresses[1] else { return host == other }
    return first.includes(second) || second.includes(first)
}

/// A host without the brackets that an IPv6 address has in a URL.
public func withoutBrackets(_ host: String) -> String {
    host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
}
