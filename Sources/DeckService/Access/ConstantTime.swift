/// Whether both hold the same bytes. How long it takes depends on their lengths only, not on where they differ, so that
/// a secret cannot be found out byte by byte.
func isSameInConstantTime(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    var difference: UInt8 = 0
    for (left, right) in zip(one, other) { difference |= left ^ right }
    return difference == 0
}
