/// Decides when the library gets its next turn if it asks for one at once.
///
/// It asks as long as it can read from or write to a connection, even if it does nothing with that: until the next bytes of a TLS
/// handshake have come, and while a line of a chunk does not fit into the memory of its connection. If the worker always ran it, one
/// such client would take a whole core. So the worker pauses after some turns in which nothing has happened. What clients send ends a
/// pause. It delays only what the library does in several turns with bytes that it already has: it reads a head that has come through
/// TLS in parts, and sends a response through TLS in parts of 16 KiB.
struct TurnPacing {
    /// How many turns in which nothing happens may follow each other without a pause.
    private static let mostTurns = 64
    private static let tlsRecordBytes = 16 * 1_024
    /// The pauses are this many times as long as the turns, so that all clients of this kind together take a tenth of a core.
    private static let pauseFactor = 9

    private var turnsLeft = mostTurns
    private var hasProgressed = false

    /// A client has connected or left, or a part of a request has come.
    mutating func noteProgress() {
        hasProgressed = true
    }

    /// A response will be sent, which may need a turn for each part.
    mutating func add(responseBytes: Int) {
        turnsLeft += responseBytes / Self.tlsRecordBytes
    }

    /// The library does not ask for a turn: nothing can be read or written.
    mutating func rest() {
        turnsLeft = Self.mostTurns
        hasProgressed = false
    }

    /// The library asks for another turn after one of this length. Returns how long to wait for it.
    mutating func pauseMilliseconds(afterTurnOf nanoseconds: Int) -> Int64 {
        if hasProgressed {
            if turnsLeft < Self.mostTurns { turnsLeft += 1 }
        } else {
            turnsLeft = max(turnsLeft - 1, 0)
        }
        hasProgressed = false
        return turnsLeft > 0 ? 0 : Int64(1 + nanoseconds * Self.pauseFactor / 1_000_000)
    }
}
