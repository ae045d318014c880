import Foundation

/// A JSON document to look into: what is not there is `missing`, which equals nothing that was asked for.
enum JSON: Equatable, Sendable, Decodable {
    case object([String: JSON])
    case array([JSON])
    case string(String)
    case number(Double)
    case bool(Bool)
    case null
    case missing

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
        } else if let value = try? single.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try single.decode([String: JSON].self))
        }
    }

    subscript(_ name: String) -> JSON {
        members[name] ?? .missing
    }

    subscript(_ index: Int) -> JSON {
        elements.indices.contains(index) ? elements[index] : .missing
    }

    var members: [String: JSON] {
        if case .object(let members) = self { members } else { [:] }
    }

    var elements: [JSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var flag: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
    }

    /// The number; NaN, which nothing is close to, if it is none.
    var number: Double {
        if case .number(let number) = self { number } else { .nan }
    }

    var numbers: [Double] {
        elements.map(\.number)
    }

    /// The numbers of an object's members, in the order of these names.
    func numbers(_ names: String...) -> [Double] {
        names.map { self[$0].number }
    }

    /// The texts that the elements have under a name.
    func texts(_ name: String) -> [String?] {
        elements.map { $0[name].text }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(floatLiteral value: Double) { self = .number(value) }
    init(integerLiteral value: Int) { self = .number(Double(value)) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(uniqueKeysWithValues: elements))
    }
}
