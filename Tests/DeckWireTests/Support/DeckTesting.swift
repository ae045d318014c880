import DeckWire

func deck(_ text: String) throws(WireError) -> DeckDocument {
    try read(text) { (value) throws(WireError) in try DeckDocument(value) }
}

func deckRefusal(_ text: String) -> WireError? {
    refusal(text) { (value) throws(WireError) in _ = try DeckDocument(value) }
}

/// The deck as a client gets it.
func text(of document: DeckDocument) -> String {
    written { $0.deck(document) }
}

/// A refusal's kind and place, for comparing without its words.
struct Place: Equatable, CustomStringConvertible {
    var kind: WireError.Kind
    var pointer: String

    var description: String { "\(kind) at \(pointer)" }

    static func malformed(_ pointer: String) -> Place { Place(kind: .malformed, pointer: pointer) }
    static func outOfRange(_ pointer: String) -> Place { Place(kind: .outOfRange, pointer: pointer) }
}

extension WireError {
    var place: Place? {
        Place(kind: kind, pointer: issue.pointer)
    }
}
