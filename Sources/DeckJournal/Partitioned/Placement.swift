/// Which of several databases has a session.
package enum Placement {
    /// The number of the database, from 0 on: the 64-bit FNV-1a hash of the id's UTF-8 bytes, modulo the number of databases.
    ///
    /// Data depends on this function, so it never changes.
    package static func database(of id: String, among count: Int) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int(hash % UInt64(count))
    }
}
