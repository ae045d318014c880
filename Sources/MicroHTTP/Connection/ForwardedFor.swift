/// The client of a request that came through proxies.
enum ForwardedFor {
    static let field: HeaderName = "X-Forwarded-For"

    /// An element of the list is not an IP address.
    struct Malformed: Error {}

    /// The last address of the header's list that is not a trusted proxy. Each proxy appends the address from which it got the
    /// request, so everything before that one is the claim of a stranger, and is not read.
    ///
    /// - Parameters:
    ///   - values: the values of the header; several headers are one list. Its empty elements are ignored (RFC 9110, 5.6.1.2).
    ///   - proxies: the trusted proxies.
    /// - Returns: nil if the list is empty.
    /// - Throws: if an address up to that one is malformed.
    static func client(in values: [String], behind proxies: [AddressRange]) throws(Malformed) -> IPAddress? {
        var client: IPAddress?
        for value in values.reversed() {
            for element in value.split(separator: ",").reversed() where element.contains(where: { !isSpace($0) }) {
                guard let address = address(element) else { throw Malformed() }
                client = address
                guard proxies.contains(where: { $0.contains(address) }) else { return address }
            }
        }
        return client
    }

    private static func isSpace(_ character: Character) -> Bool {
        character == " " || character == "\t"
    }

    /// An address, with or without brackets and a port: some proxies add it.
    private static func address(_ element: Substring) -> IPAddress? {
        let text = element.drop(while: isSpace)
        guard let end = text.lastIndex(where: { !isSpace($0) }) else { return nil }
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
