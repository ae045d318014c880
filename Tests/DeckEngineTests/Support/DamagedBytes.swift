import DeckEngine
import RandomTesting

/// Ways to damage a snapshot that the checksum does not detect.
enum DamagedBytes {
    /// The bytes with a few of them changed, or with an extreme number in place of eight.
    static func damaged(_ bytes: [UInt8], using random: inout SeededNumbers) -> [UInt8] {
        var damaged = bytes
        // The first byte is the format.
        let position = Int.random(in: 1..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: damaged[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: damaged[position] = random.pick([0, 1, 2, 0x7F, 0x80, 0xFF])
        case 2:
            for index in position..<min(position + 3, bytes.count) {
                damaged[index] = UInt8.random(in: 0...255, using: &random)
            }
        default:
            let number = random.pick([0, -1, 1, 0.5, 1e9, -1e9, 1e12, 1e13, 1e15, 1e300, -1e300, .nan])
            for (offset, byte) in bytesOf(number.bitPattern).enumerated() where position + offset < bytes.count {
                damaged[position + offset] = byte
            }
        }
        return damaged
    }

    /// The snapshot of a session with a valid checksum of its other bytes: FNV-1a, 64 bits, lowest byte first.
    static func withChecksum(_ snapshot: [UInt8]) -> [UInt8] {
        let contents = snapshot.dropLast(8)
        let sum = contents.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return contents + bytesOf(sum)
    }

    private static func bytesOf(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
