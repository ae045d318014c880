/// Whether only this machine can reach the host: a numeric address or `localhost`.
public func isLoopback(_ host: String) -> Bool {
    host == "localhost" || IPAddress(host)?.isLoopback == true
}
