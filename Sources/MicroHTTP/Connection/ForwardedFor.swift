/// The client of a request that came through proxies.
enum ForwardedFor {
    static let field: HeaderName = "X-Forwarded-For"

    /// The last address of the header's list that is not a trusted proxy. Each proxy appends the address from which it got the
    /// request, so everything before that one is the claim of a stranger, and is not read.
    ///
    /// - Parameters:
    ///   - values: the values of the header; several headers are one list.
    ///   - proxies: the trusted proxies.
    /// - Returns: nil if an address up to that one is malformed.
    static func client(in values: [String], behind proxies: [AddressRange]) -> IPAddress? {
        var client: IPAddress?
        for value in values.reversed() {
            for element in value.split(separator: ",", omittingEmptySubsequences: false).reversed() {
                guard let address = address(element) else { return nil }
                client = address
                guard proxies.contains(where: { $0.contains(address) }) else { return address }
            }
        }
        return client
    }

    /// An address, with or without brackets and a port: some proxies add it.
    private static func address(_ element: Substring) -> IPAddress? {
        let text = element.drop { $0 == " " || $0 == "\t" }
        guard let end = text.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return nil }
        let entry = text[...end]
        if entry.first == "[" {
            guard let close = entry.firstIndex(of: "]") else { return nil }
            let port = entry[entry.index(after: close)...]
            guard port.isEmpty || port.first == ":" && isPort(port.dropFirst()) else { return nil }
            return IPAddress(entry[..<close].dropFirst())
        }
        if let address = IPAddress(entry) { return address }
        let parts = entry.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, isPort(parts[1]) else { return nil }
        return IPAddress(parts[0])
    }

    private static func isPort(_ text: Substring) -> Bool {
        UInt16(text) != nil
    }
}
