/// Whether both have the same bytes. The time depends only on their lengths and not on where they differ, so that an attacker
/// cannot find a secret byte by byte.
func isSameInConstantTime(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    var difference: UInt8 = 0
    for (left, right) in zip(one, other) { difference |= left ^ right }
    return difference == 0
}
