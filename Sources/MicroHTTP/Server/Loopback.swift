import Glibc

/// Whether only this machine can reach the host: a numeric address or `localhost`.
public func isLoopback(_ host: String) -> Bool {
    if host == "localhost" { return true }
    var four = in_addr()
    if inet_pton(AF_INET, host, &four) == 1 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
    var six = in6_addr()
    guard inet_pton(AF_INET6, host, &six) == 1 else { return false }
    return withUnsafeBytes(of: six) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
}
