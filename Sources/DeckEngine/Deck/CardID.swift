#if hasFeature(Embedded)
/// The id of a card. In WebAssembly it is the card's number, so that the engine needs no strings. The client knows which
/// id the number stands for.
public typealias CardID = UInt32
#else
/// The id of a card, which the client chooses.
///
/// The ids of counted cards are "0", "1" and so on. Such an id is stored as a number, even if a client chose it, so that no string
/// is made for a counted card. Two ids are equal if and only if their texts are.
public struct CardID: Sendable, Hashable {
    private enum Form: Sendable, Hashable {
        /// Below `EngineLimits.countedIDs`.
        case counted(UInt32)
        /// Not the decimal form of such a number.
        case text(String)
    }

    private let form: Form

    /// The id that reads `text`.
    public init(_ text: String) {
        form = Self.number(of: text).map { .counted($0) } ?? .text(text)
    }

    /// The id that reads as a number in decimal form.
    public init(_ number: some BinaryInteger) {
        form = number >= 0 && number < EngineLimits.countedIDs ? .counted(UInt32(number)) : .text(String(number))
    }

    /// An empty id, which no card has.
    init() {
        form = .text("")
    }

    /// The number of a counted id; nil for any other.
    public var number: Int? {
        if case .counted(let number) = form { Int(number) } else { nil }
    }

    /// The text.
    public var text: String {
        switch form {
        case .counted(let number): String(number)
        case .text(let text): text
        }
    }

    /// The number of the counted id that reads `text`; nil if there is none, as for "07", "+7" and "1000000000".
    private static func number(of text: String) -> UInt32? {
        let digits = text.utf8
        guard let first = digits.first, digits.count < 10, digits.allSatisfy(isDigit) else { return nil }
        return first == UInt8(ascii: "0") && digits.count > 1 ? nil : UInt32(text)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}

extension CardID: ExpressibleByStringInterpolation, CustomStringConvertible {
    /// The id that reads `text`.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// The text.
    public var description: String { text }
}

extension CardID: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(text)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        self.init(try reader.read(String.self))
    }
}
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
