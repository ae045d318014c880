#if hasFeature(Embedded)
/// The id of a card. In WebAssembly it is the card's number, so that the engine needs no strings. The client knows which
/// id the number stands for.
public typealias CardID = UInt32
#else
/// The id of a card, which the client chooses.
public typealias CardID = String
#endif

extension CardIdentity {
    /// The card's id in an engine that was opened with a client snapshot, which has no ids: the identity.
    var clientID: CardID { CardID(number) }
}

extension SnapshotReader {
    /// Reads the id of a card. A client snapshot has none.
    mutating func cardID(of card: CardIdentity) throws(SnapshotReader.Failure) -> CardID {
        #if !hasFeature(Embedded)
        if !isForClients { return try read() }
        #endif
        return card.clientID
    }
}
