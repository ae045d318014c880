/// Addresses that begin with the same bits: `10.0.0.0/8`, `2001:db8::/32`. A single address has no length.
public struct AddressRange: Sendable, Hashable, CustomStringConvertible {
    /// The range as it was written.
    public let description: String
    private let start: IPAddress
    private let mask: IPAddress

    /// Reads a range.
    ///
    /// - Returns: nil if the text is no range, or if the address has bits beyond the length.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let start = IPAddress(parts[0]) else { return nil }
        let isShort = parts[0].contains(".") && !parts[0].contains(":")
        var length = 128
        if parts.count == 2 {
            guard let number = Int(parts[1]), (0...(isShort ? 32 : 128)).contains(number), "\(number)" == parts[1]
            else {
                return nil
            }
            length = number + (isShort ? 96 : 0)
        }
        let high = length >= 64 ? UInt64.max : ~(UInt64.max >> UInt64(length))
        let low = length >= 128 ? UInt64.max : length <= 64 ? 0 : ~(UInt64.max >> UInt64(length - 64))
        guard start.high & ~high == 0, start.low & ~low == 0 else { return nil }
        description = text
        self.start = start
        mask = IPAddress(high: high, low: low)
    }

    func contains(_ address: IPAddress) -> Bool {
        address.high & mask.high == start.high && address.low & mask.low == start.low
    }
}
