import DeckWire
import Foundation

/// A JSON document as another library than ours reads it, for looking at what is written.
enum Plain: Equatable, Decodable {
    case object([String: Plain])
    case array([Plain])
    case string(String)
    case number(Double)
    case bool(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if single.decodeNil() {
            self = .null
        } else if let value = try? single.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? single.decode(Double.self) {
            self = .number(value)
        } else if let value = try? single.decode(String.self) {
            self = .string(value)
        } else if let value = try? single.decode([Plain].self) {
            self = .array(value)
        } else {
            self = .object(try single.decode([String: Plain].self))
        }
    }

    init(_ text: String) throws {
        self = try JSONDecoder().decode(Plain.self, from: Data(text.utf8))
    }

    var members: [String: Plain] {
        if case .object(let members) = self { members } else { [:] }
    }

    var elements: [Plain] {
        if case .array(let elements) = self { elements } else { [] }
    }

    subscript(_ name: String) -> Plain? {
        members[name]
    }

    /// The same document with another value at a path of member names; a member that is not there is not made.
    func replacing(_ path: [String], with value: Plain) -> Plain {
        guard let name = path.first else { return value }
        guard case .object(var members) = self, let former = members[name] else { return self }
        members[name] = former.replacing(Array(path.dropFirst()), with: value)
        return .object(members)
    }
}

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
