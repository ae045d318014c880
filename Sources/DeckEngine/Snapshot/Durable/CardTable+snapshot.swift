extension CardTable {
    /// The cards as bytes: the format, the contents, the order and the next counted id.
    func snapshot() -> [UInt8] {
        var writer = SnapshotWriter.formatted()
        writer.write(list)
        writer.write(order)
        writer.write(nextNumber)
        return writer.bytes
    }

    /// - Throws: an error that says why the bytes cannot be read.
    init(snapshot bytes: [UInt8]) throws(SnapshotError) {
        // The first format starts with the kind of the list, 0 or 1, and contains only the cards.
        guard bytes.first ?? .max > 1 else {
            var reader = SnapshotReader(bytes[...], format: .first)
            self.init(try reader.read(CardList.self))
            try reader.requireEnd()
            return
        }
        var reader = try SnapshotReader(formatted: bytes[...])
        self.init(try reader.read(CardList.self))
        order = try reader.read()
        nextNumber = try reader.read()
        guard reader.isAtEnd, order.count == list.count, (0...EngineLimits.countedIDs).contains(nextNumber) else {
            throw .damaged
        }
    }
}
